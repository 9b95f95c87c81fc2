using UnityEngine;

namespace NavChase
{
    /// <summary>Samples a scene with physics queries: the seam between it and MapExport.</summary>
    public sealed class PhysicsGround
    {
        // Keeps the box above ground that is uneven by as much, in units. A guess.
        const float Gap = 0.05f;

        readonly MapFrame frame;

        public PhysicsGround(MapFrame frame)
        {
            this.frame = frame;
        }

        /// <summary>Layers of what agents walk on.</summary>
        public int GroundLayers = ~0;
        /// <summary>Layers of what is in their way.</summary>
        public int ObstacleLayers = ~0;
        /// <summary>How far ground may lie above or below the height of the frame.</summary>
        public float HeightRange = 2;
        /// <summary>Height of an agent.</summary>
        public float Headroom = 1.8f;
        /// <summary>Steepest ground to walk on, in degrees.</summary>
        public float SlopeMax = 45;

        /// <summary>Whether an agent can stand in the whole cell.</summary>
        public bool IsWalkable(int column, int row)
        {
            Point centre = frame.Centre(column, row);
            var at = new Vector3((float)centre.X, (float)centre.Y, (float)centre.Z);
            Vector3 above = at + Vector3.up * HeightRange;
            if (!Physics.Raycast(
                above, Vector3.down, out RaycastHit hit, 2 * HeightRange, GroundLayers))
            {
                return false;
            }
            if (Vector3.Angle(hit.normal, Vector3.up) > SlopeMax)
            {
                return false;
            }
            float half = (float)frame.CellSize / 2;
            var extents = new Vector3(half - Gap, Headroom / 2, half - Gap);
            Vector3 middle = hit.point + Vector3.up * (Headroom / 2 + Gap);
            return !Physics.CheckBox(middle, extents, Quaternion.identity, ObstacleLayers);
        }
    }
}
