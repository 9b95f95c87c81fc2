using System;

namespace NavChase
{
    /// <summary>
    /// Estimates the server's tick from the fastest packet of the last seconds, and the time since.
    /// </summary>
    public sealed class TickClock
    {
        // Seconds for which the fastest packet counts, and the window before it too. A guess: long
        // enough to have a fast packet, short enough to follow the drift of clocks.
        const double Window = 5;

        // Share by which the shown time runs faster or slower to approach the server's. A guess.
        const double Slew = 0.1;

        // Error in seconds above which the shown tick jumps instead. A guess.
        const double Leap = 1;

        readonly double tickSeconds;
        // Ticks by which the server is ahead of local time, by the fastest packet since `since`,
        // and by that of the window before.
        double ahead = double.NegativeInfinity;
        double aheadBefore = double.NegativeInfinity;
        double since = double.NegativeInfinity;
        double shownAt;

        public TickClock(double tickSeconds)
        {
            this.tickSeconds = tickSeconds;
        }

        /// <summary>The tick shown, with its fraction; null before any.</summary>
        public double? Shown { get; private set; }

        public void Receive(uint tick, double now)
        {
            if (now > since + Window)
            {
                aheadBefore = ahead;
                ahead = double.NegativeInfinity;
                since = now;
            }
            ahead = Math.Max(ahead, tick - now / tickSeconds);
        }

        /// <summary>Whether ticks are as long, and a packet of this tick is plausible now.</summary>
        public bool Fits(double tickSeconds, uint tick, double now)
        {
            double expected = now / this.tickSeconds + Math.Max(ahead, aheadBefore);
            double off = (tick - expected) * this.tickSeconds;
            return this.tickSeconds == tickSeconds && Math.Abs(off) < Window;
        }

        /// <summary>
        /// Advances to <c>now</c>, shown <c>lag</c> seconds late, and returns the seconds since the
        /// call before.
        /// </summary>
        public double Advance(double now, double lag)
        {
            double goal = (now - lag) / tickSeconds + Math.Max(ahead, aheadBefore);
            double seconds = Shown == null ? 0 : Math.Max(now - shownAt, 0);
            double passed = seconds / tickSeconds;
            double expected = (Shown ?? goal) + passed;
            double off = goal - expected;
            double most = Slew * passed;
            Shown = Math.Abs(off) * tickSeconds > Leap
                ? goal
                : expected + Math.Min(Math.Max(off, -most), most);
            shownAt = now;
            return seconds;
        }
    }
}
