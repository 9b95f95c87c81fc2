// As much of Unity's interface as the files above use, so that a plain compiler builds and tests
// them. In Unity this file is empty.
#if !UNITY_5_3_OR_NEWER
using System;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
    public struct Vector2
    {
        public float x;
        public float y;

        public Vector2(float x, float y)
        {
            this.x = x;
            this.y = y;
        }
    }

    public struct Vector3
    {
        public float x;
        public float y;
        public float z;

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public static Vector3 up { get { return new Vector3(0, 1, 0); } }
        public static Vector3 down { get { return new Vector3(0, -1, 0); } }
        public static Vector3 zero { get { return new Vector3(); } }

        public static Vector3 operator +(Vector3 a, Vector3 b)
        {
            return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z);
        }

        public static Vector3 operator *(Vector3 a, float b)
        {
            return new Vector3(a.x * b, a.y * b, a.z * b);
        }

        public static bool operator ==(Vector3 a, Vector3 b)
        {
            return a.x == b.x && a.y == b.y && a.z == b.z;
        }

        public static bool operator !=(Vector3 a, Vector3 b)
        {
            return !(a == b);
        }

        public override bool Equals(object other)
        {
            return other is Vector3 && this == (Vector3)other;
        }

        public override int GetHashCode()
        {
            return (x + y + z).GetHashCode();
        }

        public static float Angle(Vector3 a, Vector3 b)
        {
            double dot = a.x * b.x + a.y * b.y + a.z * b.z;
            double lengths = Math.Sqrt(
                (a.x * a.x + a.y * a.y + a.z * a.z) * (b.x * b.x + b.y * b.y + b.z * b.z));
            return (float)(Math.Acos(dot / lengths) * 180 / Math.PI);
        }
    }

    public struct Quaternion
    {
        // Unity keeps four numbers. The tests only ask where it looks.
        public Vector3 Forward;

        public static Quaternion identity { get { return new Quaternion(); } }

        public static Quaternion LookRotation(Vector3 forward)
        {
            return new Quaternion { Forward = forward };
        }
    }

    public struct RaycastHit
    {
        public Vector3 point;
        public Vector3 normal;
    }

    /// A box along the axes. As ground, its top counts.
    public sealed class Box
    {
        public Vector3 From;
        public Vector3 To;
        public Vector3 Normal = Vector3.up;
        public int Layer;
    }

    public static class Physics
    {
        public static readonly List<Box> Scene = new List<Box>();

        public static bool Raycast(
            Vector3 from, Vector3 way, out RaycastHit hit, float distance, int layers)
        {
            hit = new RaycastHit();
            float highest = from.y - distance;
            bool found = false;
            foreach (Box box in Scene)
            {
                bool isUnder = box.From.x <= from.x && from.x <= box.To.x
                    && box.From.z <= from.z && from.z <= box.To.z
                    && highest <= box.To.y && box.To.y <= from.y;
                if (isUnder && (layers >> box.Layer & 1) == 1)
                {
                    found = true;
                    highest = box.To.y;
                    hit.point = new Vector3(from.x, box.To.y, from.z);
                    hit.normal = box.Normal;
                }
            }
            return found;
        }

        public static bool CheckBox(Vector3 at, Vector3 half, Quaternion turn, int layers)
        {
            return Scene.Exists(box => (layers >> box.Layer & 1) == 1
                && box.From.x < at.x + half.x && at.x - half.x < box.To.x
                && box.From.y < at.y + half.y && at.y - half.y < box.To.y
                && box.From.z < at.z + half.z && at.z - half.z < box.To.z);
        }
    }

    public static class LayerMask
    {
        public static string LayerToName(int layer)
        {
            return layer == 0 ? "Default" : "";
        }
    }

    public static class Time
    {
        public static double realtimeSinceStartupAsDouble { get; set; }
    }

    public static class Debug
    {
        public static readonly List<string> Warnings = new List<string>();

        public static void LogWarning(object message)
        {
            Warnings.Add(message.ToString());
        }
    }

    public class Object
    {
        public string name;

        public static GameObject Instantiate(GameObject original, Transform parent)
        {
            return new GameObject { Original = original };
        }

        public static void Destroy(Object it)
        {
            ((GameObject)it).IsDestroyed = true;
        }
    }

    public class Transform : Object
    {
        public Vector3 localPosition;
        public Quaternion localRotation;
    }

    public sealed class GameObject : Object
    {
        public readonly Transform transform = new Transform();
        public GameObject Original;
        public bool IsDestroyed;
    }

    public class MonoBehaviour : Object
    {
        public readonly Transform transform = new Transform();

        public void SendMessage(string method)
        {
            GetType().GetMethod(method, BindingFlags.Instance | BindingFlags.NonPublic)
                .Invoke(this, null);
        }
    }

    public sealed class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string text)
        {
        }
    }

    public static class GUILayout
    {
        public static bool Button(string text)
        {
            return true;
        }
    }
}

namespace UnityEditor
{
    using UnityEngine;

    public sealed class MenuItem : Attribute
    {
        public MenuItem(string path)
        {
        }
    }

    public class EditorWindow : UnityEngine.Object
    {
        public static T GetWindow<T>(string title) where T : EditorWindow, new()
        {
            return new T();
        }
    }

    public static class EditorGUILayout
    {
        public static Vector3 Vector3Field(string label, Vector3 value)
        {
            return value;
        }

        public static Vector2 Vector2Field(string label, Vector2 value)
        {
            return value;
        }

        public static float FloatField(string label, float value)
        {
            return value;
        }

        public static int MaskField(string label, int value, string[] names)
        {
            return value;
        }
    }

    public static class EditorUtility
    {
        public static string SavePath;

        public static string SaveFilePanel(string title, string folder, string name, string ending)
        {
            return SavePath;
        }
    }
}
#endif
