using System;

namespace NavChase
{
    /// <summary>A place or a displacement in the server's world, in 64-bit numbers.</summary>
    /// <remarks>
    /// Unity's Vector3 has 32 bits. A follower adds a small step in every frame, and the tests
    /// compare the result with that of the Rust client.
    /// </remarks>
    public struct Point
    {
        public readonly double X;
        public readonly double Y;
        public readonly double Z;

        public Point(double x, double y, double z)
        {
            X = x;
            Y = y;
            Z = z;
        }

        public static Point operator +(Point one, Point other)
        {
            return new Point(one.X + other.X, one.Y + other.Y, one.Z + other.Z);
        }

        public static Point operator -(Point one, Point other)
        {
            return new Point(one.X - other.X, one.Y - other.Y, one.Z - other.Z);
        }

        public static Point operator *(Point one, double factor)
        {
            return new Point(one.X * factor, one.Y * factor, one.Z * factor);
        }

        public double Length
        {
            get { return Math.Sqrt(X * X + Y * Y + Z * Z); }
        }

        public double DistanceTo(Point other)
        {
            return (this - other).Length;
        }

        /// <summary>The distance along the axis on which it is greatest.</summary>
        public double WidestTo(Point other)
        {
            Point way = this - other;
            return Math.Max(Math.Abs(way.X), Math.Max(Math.Abs(way.Y), Math.Abs(way.Z)));
        }

        /// <summary>The place a fraction of the way to another.</summary>
        public Point Between(Point other, double part)
        {
            return this + (other - this) * part;
        }

        /// <summary>The place <c>step</c> from here to another, at most the other.</summary>
        public Point Toward(Point other, double step)
        {
            double whole = DistanceTo(other);
            return whole <= step || whole == 0 ? other : Between(other, step / whole);
        }

        /// <summary>The height, on the axis that points up: 1 for y and 2 for z.</summary>
        public double Height(int up)
        {
            return up == 1 ? Y : Z;
        }

        /// <summary>The same without its height.</summary>
        public Point Level(int up)
        {
            return up == 1 ? new Point(X, 0, Z) : new Point(X, Y, 0);
        }
    }
}
