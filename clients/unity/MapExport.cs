using System;
using System.Globalization;
using System.Text;

namespace NavChase
{
    /// <summary>Where the cells of a map lie in the world.</summary>
    /// <remarks>Columns run toward +x, rows toward −z, and y points up.</remarks>
    public struct MapFrame
    {
        /// <summary>Most columns or rows that the server reads.</summary>
        public const int SideMax = 16384;

        /// <summary>The centre of column 0, row 0.</summary>
        public Point Origin;
        /// <summary>The side of a cell in world units.</summary>
        public double CellSize;
        public int Wide;
        public int Height;

        /// <summary>
        /// The frame of a rectangle of the world, with cells of a given size. Cells that would stick
        /// out at the far sides are left out.
        /// </summary>
        public static MapFrame Around(
            double west, double east, double south, double north, double y, double cellSize)
        {
            return new MapFrame
            {
                Origin = new Point(west + cellSize / 2, y, north - cellSize / 2),
                CellSize = cellSize,
                // Ten cells of 0.1 are a little less than 1 in floating point.
                Wide = (int)Math.Floor((east - west) / cellSize + 1e-6),
                Height = (int)Math.Floor((north - south) / cellSize + 1e-6),
            };
        }

        /// <summary>The centre of a cell in the world.</summary>
        public Point Centre(int column, int row)
        {
            return Origin + new Point(column * CellSize, 0, -row * CellSize);
        }
    }

    /// <summary>Writes maps as walkability bitmaps, which `chase` and nav_formats read.</summary>
    public static class MapExport
    {
        /// <summary>Writes a map, asking for each cell by column and row whether it is walkable.</summary>
        public static string Write(MapFrame frame, Func<int, int, bool> isWalkable)
        {
            if (frame.Wide < 1 || frame.Wide > MapFrame.SideMax
                || frame.Height < 1 || frame.Height > MapFrame.SideMax)
            {
                throw new ArgumentException(
                    "a map has 1 to " + MapFrame.SideMax + " columns and rows, not "
                    + frame.Wide + "×" + frame.Height);
            }
            if (!(frame.CellSize > 0) || double.IsInfinity(frame.CellSize))
            {
                throw new ArgumentException("a cell needs a size above 0");
            }
            Point origin = frame.Origin;
            var text = new StringBuilder(100 + frame.Height * (2 * frame.Wide + 4));
            text.Append("startpos=(").Append(Number(origin.X)).Append(", ")
                .Append(Number(origin.Y)).Append(", ").Append(Number(origin.Z)).Append(")\n");
            text.Append("height=").Append(frame.Height).Append('\n');
            text.Append("wide=").Append(frame.Wide).Append('\n');
            text.Append("accuracy=").Append(Number(frame.CellSize)).Append('\n');
            for (int row = 0; row < frame.Height; row++)
            {
                text.Append('{');
                for (int column = 0; column < frame.Wide; column++)
                {
                    text.Append(isWalkable(column, row) ? "1," : "0,");
                }
                text.Append("},\n");
            }
            return text.ToString();
        }

        // "R" has as many digits as are needed to read the same number back.
        static string Number(double number)
        {
            return number.ToString("R", CultureInfo.InvariantCulture);
        }
    }
}
