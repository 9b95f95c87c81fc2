using System;

namespace NavChase
{
    public enum FollowState
    {
        Standing,
        Walking,
        /// <summary>Going straight to its target, near the end of its path.</summary>
        Steering,
        /// <summary>On a link, such as a ladder, along the line between its ends.</summary>
        OnLink,
    }

    /// <summary>The scale of the server's world, from the start of a view.</summary>
    public struct Ground
    {
        public double TickSeconds;
        public double CellSize;
        /// <summary>The axis that points up: 1 for y, 2 for z.</summary>
        public int Up;
    }

    /// <summary>
    /// An agent as a client shows it: it walks along the points that the server sent, in time.
    /// </summary>
    /// <remarks>The rules and numbers are those of the crate nav_client.</remarks>
    public sealed class Follower
    {
        // A path that is longer than the straight way by more than this leads around a wall. A guess.
        const double DetourFactor = 1.5;

        readonly Track track;
        // Number of the first point that is not touched yet.
        int next = 1;
        // Speed on straight steps, in units per second.
        double speed;
        double reach;
        // Whether the server's last word was a path, and not a stand.
        bool hasWay;
        // A new agent is put on its track at once, wherever that is.
        bool isNew = true;

        public Follower(Point at)
        {
            track = new Track(at);
            Position = at;
        }

        public Point Position { get; private set; }

        /// <summary>Direction of the last move, level and of length 1; zeros before the first.</summary>
        public Point Facing { get; private set; }

        public FollowState State { get; private set; }

        public ulong? Chases { get; private set; }

        /// <summary>The kind of the link that it is on, such as a ladder.</summary>
        public int? Link { get; private set; }

        /// <summary>Takes a path, which replaces the plan from its tick on.</summary>
        public void Follow(Update path, Ground ground)
        {
            speed = path.Speed;
            reach = path.Reach;
            Chases = path.Chases;
            hasWay = true;
            Cut(path.Tick, ground);
            for (int n = 0; n < path.Points.Length; n++)
            {
                // It walks to the first point no longer than needed, and never stops after it.
                double ticks = n == 0 ? TicksTo(path.Points[n], ground) : double.PositiveInfinity;
                double arrival = (double)path.Tick + path.Arrivals[n];
                track.Push(path.Points[n], arrival, ticks, path.Jumps[n], path.Links[n]);
            }
        }

        /// <summary>Takes a correction: it stays there from its tick on.</summary>
        public void Correct(Update correct, Ground ground)
        {
            Chases = correct.Chases;
            speed = correct.Speed;
            Stand(correct.Tick, correct.At, correct.Jump, ground);
        }

        public void Stand(uint tick, Point at, bool jump, Ground ground)
        {
            hasWay = false;
            Cut(tick, ground);
            track.Push(at, tick, TicksTo(at, ground), jump);
        }

        /// <summary>
        /// Takes the place of a player at a tick. The player is shown on the way there for at most the
        /// lag: a place that arrives in time then changes nothing that is already shown.
        /// </summary>
        public void Place(uint tick, Point at, double lag, Ground ground)
        {
            double ticks = lag / ground.TickSeconds;
            track.Cut(tick, ticks);
            track.Push(at, tick, ticks, false);
        }

        /// <summary>Moves a player exactly along its track. Players have no speed to keep.</summary>
        public void Show(double tick, Ground ground)
        {
            track.Pass(tick);
            Point before = Position;
            Position = track.At(tick);
            Moved(before, FollowState.Walking);
            Face(Position - before, ground);
        }

        /// <summary>Advances a chaser by <c>seconds</c>, to where it is at a tick.</summary>
        /// <param name="target">The current place of its target, if that is in view.</param>
        public void Advance(
            double tick, double seconds, Point? target, Ground ground, Settings settings)
        {
            // In the tick of a step, the chaser is shown halfway between the two cells.
            tick -= 0.5 * StepTicks(ground);
            next = Math.Max(next - track.Pass(tick), 1);
            Point onTrack = track.At(tick);
            Point before = Position;
            bool isOff = before.DistanceTo(onTrack) > settings.Snap;
            if (isNew || isOff)
            {
                isNew = false;
                Position = onTrack;
                next = Math.Max(track.Next(tick), 1);
            }
            Touch(tick, ground, settings);
            Link = track.LinkAt(tick);
            if (target != null && Link == null && IsAtEnd(tick, target.Value, ground, settings))
            {
                Steer(onTrack, target.Value, seconds, ground, settings);
            }
            else
            {
                Walk(tick, seconds, ground, settings);
            }
            State = Link == null ? State : FollowState.OnLink;
            if (!isOff)
            {
                Face(Position - before, ground);
            }
        }

        void Cut(double tick, Ground ground)
        {
            track.Cut(tick, StepTicks(ground));
            next = Math.Min(next, track.Count);
        }

        // Ticks of a straight step; 0 while the speed is unknown.
        double StepTicks(Ground ground)
        {
            return speed > 0 ? ground.CellSize / speed / ground.TickSeconds : 0;
        }

        // Ticks from the end of the track to a point; 0 while the speed is unknown.
        double TicksTo(Point at, Ground ground)
        {
            return speed > 0 ? track.Last.DistanceTo(at) / speed / ground.TickSeconds : 0;
        }

        void Touch(double tick, Ground ground, Settings settings)
        {
            double touch = Math.Min(settings.Touch, settings.Touch * ground.CellSize);
            for (; next < track.Count; next++)
            {
                bool jump = track.IsJump(next);
                if (jump && tick >= track.Arrival(next))
                {
                    Position = track.PointAt(next);
                }
                else if (jump || Position.DistanceTo(track.PointAt(next)) > touch)
                {
                    return;
                }
            }
        }

        void Walk(double tick, double seconds, Ground ground, Settings settings)
        {
            // A jump is waited for on the point before it.
            int goal = next < track.Count && !track.IsJump(next) ? next : next - 1;
            double ahead = settings.LookAhead / ground.TickSeconds;
            double until = Math.Min(tick + ahead, track.Arrival(goal));
            bool inTime = until > tick;
            Point aim = inTime ? track.At(until) : track.PointAt(goal);
            double left = inTime ? (until - tick) * ground.TickSeconds : 0;
            double pace = track.SpeedTo(goal) / ground.TickSeconds;
            double fastest = Math.Max(settings.CatchUp, 1) * Math.Max(speed, pace);
            double away = Position.DistanceTo(aim);
            double step = left > 0 ? away / left * seconds : away;
            // The speed is unknown if nothing but the place was sent.
            step = fastest > 0 ? Math.Min(step, fastest * seconds) : step;
            Point before = Position;
            Position = before.Toward(aim, step);
            Moved(before, FollowState.Walking);
        }

        // Whether the target, and the end of the path, are near enough to go straight.
        bool IsAtEnd(double tick, Point target, Ground ground, Settings settings)
        {
            double away = Position.DistanceTo(target);
            double height = Math.Abs(target.Height(ground.Up) - Position.Height(ground.Up));
            return hasWay
                && away <= settings.SteerWithin
                && height <= ground.CellSize
                && track.Left(tick) <= away * DetourFactor + ground.CellSize
                && track.Last.DistanceTo(target) <= reach * DetourFactor + 2 * ground.CellSize;
        }

        // Goes straight to the target until that is within reach, on a leash around the path.
        void Steer(
            Point onTrack, Point target, double seconds, Ground ground, Settings settings)
        {
            Point before = Position;
            Point wanted = before;
            if (before.WidestTo(target) > reach)
            {
                double left = Math.Max(before.DistanceTo(target) - reach, 0);
                wanted = before.Toward(target, Math.Min(speed * seconds, left));
            }
            Point held = onTrack.Toward(wanted, settings.Leash * ground.CellSize);
            Position = before.Toward(held, Math.Max(settings.CatchUp, 1) * speed * seconds);
            Moved(before, FollowState.Steering);
            if (State == FollowState.Standing)
            {
                Face(target - before, ground);
            }
        }

        void Moved(Point before, FollowState moving)
        {
            State = before.DistanceTo(Position) > 0 ? moving : FollowState.Standing;
        }

        void Face(Point way, Ground ground)
        {
            way = way.Level(ground.Up);
            double length = way.Length;
            if (length > 1e-6)
            {
                Facing = way * (1 / length);
            }
        }
    }
}
