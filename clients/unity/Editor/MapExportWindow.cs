using System.IO;
using UnityEditor;
using UnityEngine;

namespace NavChase
{
    /// <summary>Tools → Export chase map: samples the open scene into a map file.</summary>
    public sealed class MapExportWindow : EditorWindow
    {
        Vector3 centre;
        Vector2 size = new Vector2(64, 64);
        float cellSize = 1;
        int groundLayers = ~0;
        // The default layer, 0, tends to hold the ground too, and all ground would be in the way.
        int obstacleLayers = 1 << 1;
        float headroom = 1.8f;
        float slopeMax = 45;
        float heightRange = 2;

        [MenuItem("Tools/Export chase map")]
        static void Open()
        {
            GetWindow<MapExportWindow>("Chase map");
        }

        void OnGUI()
        {
            centre = EditorGUILayout.Vector3Field("Centre", centre);
            size = EditorGUILayout.Vector2Field("Size (x, z)", size);
            cellSize = EditorGUILayout.FloatField("Cell size", cellSize);
            groundLayers = EditorGUILayout.MaskField("Ground layers", groundLayers, LayerNames());
            obstacleLayers =
                EditorGUILayout.MaskField("Obstacle layers", obstacleLayers, LayerNames());
            headroom = EditorGUILayout.FloatField("Headroom", headroom);
            slopeMax = EditorGUILayout.FloatField("Steepest slope", slopeMax);
            heightRange = EditorGUILayout.FloatField("Ground ± height", heightRange);
            if (GUILayout.Button("Export"))
            {
                Export();
            }
        }

        void Export()
        {
            MapFrame frame = MapFrame.Around(
                centre.x - size.x / 2,
                centre.x + size.x / 2,
                centre.z - size.y / 2,
                centre.z + size.y / 2,
                centre.y,
                cellSize);
            var ground = new PhysicsGround(frame)
            {
                GroundLayers = groundLayers,
                ObstacleLayers = obstacleLayers,
                Headroom = headroom,
                SlopeMax = slopeMax,
                HeightRange = heightRange,
            };
            string file = EditorUtility.SaveFilePanel("Export chase map", "", "map", "bitmap");
            if (!string.IsNullOrEmpty(file))
            {
                File.WriteAllText(file, MapExport.Write(frame, ground.IsWalkable));
            }
        }

        // A mask field counts by its list, so all 32 layers are in it, named or not.
        static string[] LayerNames()
        {
            var names = new string[32];
            for (int layer = 0; layer < names.Length; layer++)
            {
                string name = LayerMask.LayerToName(layer);
                names[layer] = string.IsNullOrEmpty(name) ? layer.ToString() : name;
            }
            return names;
        }
    }
}
