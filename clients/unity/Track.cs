using System;
using System.Collections.Generic;

namespace NavChase
{
    /// <summary>
    /// Where an agent is at each moment: points by arrival, at least one. Before the first it is
    /// there, after the last it stays there. Moments are ticks of the server.
    /// </summary>
    public sealed class Track
    {
        struct TrackPoint
        {
            public Point At;
            public double Departure;
            public double Arrival;
            public bool Jump;
            public int? Link;
        }

        readonly List<TrackPoint> points = new List<TrackPoint>();

        public Track(Point at)
        {
            points.Add(new TrackPoint
            {
                At = at,
                Departure = double.NegativeInfinity,
                Arrival = double.NegativeInfinity,
            });
        }

        public int Count
        {
            get { return points.Count; }
        }

        public Point Last
        {
            get { return points[points.Count - 1].At; }
        }

        public Point PointAt(int number)
        {
            return points[number].At;
        }

        public double Arrival(int number)
        {
            return points[number].Arrival;
        }

        public bool IsJump(int number)
        {
            return points[number].Jump;
        }

        /// <summary>
        /// Forgets the plan from a tick on, and the <c>ticks</c> before it, in which the agent moves
        /// to another place instead.
        /// </summary>
        public void Cut(double tick, double ticks)
        {
            int kept = 0;
            while (kept < points.Count && points[kept].Arrival < tick)
            {
                kept++;
            }
            kept = Math.Max(kept, 1);
            double turn = tick - ticks;
            if (kept < points.Count && turn > points[kept - 1].Arrival)
            {
                // It was on the way to a point that it will not reach.
                TrackPoint point = points[kept];
                point.At = At(turn);
                point.Arrival = turn;
                point.Departure = Math.Min(point.Departure, turn);
                point.Jump = false;
                point.Link = null;
                points[kept++] = point;
            }
            points.RemoveRange(kept, points.Count - kept);
            if (kept == 1 && points[0].Arrival >= tick)
            {
                // All points lie later. As far as is known, it was there before.
                TrackPoint first = points[0];
                first.Arrival = double.NegativeInfinity;
                points[0] = first;
            }
        }

        /// <summary>Appends a point. The way there takes at most <c>ticks</c>.</summary>
        public void Push(Point at, double arrival, double ticks, bool jump, int? link = null)
        {
            double last = points[points.Count - 1].Arrival;
            arrival = Math.Max(arrival, last);
            points.Add(new TrackPoint
            {
                At = at,
                Departure = Math.Max(last, arrival - ticks),
                Arrival = arrival,
                Jump = jump,
                Link = link,
            });
        }

        /// <summary>The kind of the link that it is on at a moment, if any.</summary>
        public int? LinkAt(double tick)
        {
            int next = Next(tick);
            return next < points.Count ? points[next].Link : null;
        }

        /// <summary>The number of the first point reached after a moment.</summary>
        public int Next(double tick)
        {
            int next = 0;
            while (next < points.Count && points[next].Arrival <= tick)
            {
                next++;
            }
            return next;
        }

        /// <summary>Forgets the points before the last one reached, and returns how many.</summary>
        public int Pass(double tick)
        {
            int passed = Math.Max(Next(tick) - 1, 0);
            points.RemoveRange(0, passed);
            return passed;
        }

        /// <summary>The place at a moment.</summary>
        public Point At(double tick)
        {
            int next = Next(tick);
            Point before = points[Math.Max(next - 1, 0)].At;
            if (next == 0 || next == points.Count)
            {
                return before;
            }
            TrackPoint to = points[next];
            if (to.Jump || tick <= to.Departure)
            {
                return before;
            }
            return before.Between(to.At, (tick - to.Departure) / (to.Arrival - to.Departure));
        }

        /// <summary>The distance left at a moment, without jumps.</summary>
        public double Left(double tick)
        {
            double left = 0;
            Point from = At(tick);
            for (int n = Next(tick); n < points.Count; n++)
            {
                left += points[n].Jump ? 0 : from.DistanceTo(points[n].At);
                from = points[n].At;
            }
            return left;
        }

        /// <summary>The speed on the way to a point, in units per tick; 0 if it takes no time.</summary>
        public double SpeedTo(int number)
        {
            TrackPoint to = points[number];
            double ticks = to.Arrival - to.Departure;
            // The first point has no way to it, and may have infinite times.
            if (number == 0 || to.Jump || !(ticks > 0))
            {
                return 0;
            }
            return points[number - 1].At.DistanceTo(to.At) / ticks;
        }
    }
}
