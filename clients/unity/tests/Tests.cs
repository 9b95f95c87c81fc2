#if !UNITY_5_3_OR_NEWER
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading;
using NavChase;
using UnityEditor;
using UnityEngine;

/// Plays the recording and exports the scene of clients/fixtures. The argument is that folder.
static class Tests
{
    const string Start =
        "{\"start\":{\"tick_micros\":50000,\"cell_size\":1.0,\"up\":\"y\"}}";

    static string fixtures;

    static int Main(string[] arguments)
    {
        fixtures = arguments[0];
        // Numbers must not depend on the language of the machine.
        CultureInfo.DefaultThreadCurrentCulture = new CultureInfo("de-DE");
        Thread.CurrentThread.CurrentCulture = new CultureInfo("de-DE");
        Action[] tests =
        {
            Recording, Nonsense, Ids, ExportScene, ExportNumbers, ExportWindow, View, Socket,
        };
        int failed = 0;
        foreach (Action test in tests)
        {
            try
            {
                test();
                Console.WriteLine("ok " + test.Method.Name);
            }
            catch (Exception error)
            {
                failed++;
                Console.WriteLine("FAILED " + test.Method.Name + ": " + error);
            }
        }
        Console.WriteLine("unity: " + (tests.Length - failed) + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }

    static void Check(bool holds, string what)
    {
        if (!holds)
        {
            throw new Exception(what);
        }
    }

    static Dictionary<string, object> Object(object json)
    {
        return (Dictionary<string, object>)json;
    }

    static double Number(object json)
    {
        return json is ulong ? (ulong)json : (double)json;
    }

    static Point PointOf(object json)
    {
        var list = (List<object>)json;
        return new Point(Number(list[0]), Number(list[1]), Number(list[2]));
    }

    static void Recording()
    {
        var packets = new Queue<KeyValuePair<double, string>>();
        var shown = new Dictionary<ulong, List<object>>();
        var asks = new List<ulong>();
        ulong frames = 0;
        double frameMillis = 0;
        double tolerance = 0;
        foreach (string line in File.ReadLines(Path.Combine(fixtures, "follow.jsonl")))
        {
            Check(Json.TryRead(line, out object json), "no JSON: " + line);
            Dictionary<string, object> fields = Object(json);
            if (fields.ContainsKey("frames"))
            {
                frames = (ulong)fields["frames"];
                frameMillis = Number(fields["frame_millis"]);
                tolerance = Number(fields["tolerance"]);
            }
            else if (fields.ContainsKey("packet"))
            {
                int begin = line.IndexOf("\"packet\":") + "\"packet\":".Length;
                string packet = line.Substring(begin, line.Length - begin - 1);
                packets.Enqueue(
                    new KeyValuePair<double, string>(Number(fields["millis"]), packet));
            }
            else if (fields.ContainsKey("asks"))
            {
                asks.AddRange(((List<object>)fields["asks"]).Cast<ulong>());
            }
            else
            {
                shown.Add((ulong)fields["frame"], (List<object>)fields["agents"]);
            }
        }
        Check(packets.Count > 50 && shown.Count > 50, "the recording is short");
        var client = new ChaseClient();
        var asked = new List<ulong>();
        double farthest = 0;
        int compared = 0;
        for (ulong frame = 0; frame < frames; frame++)
        {
            double millis = frame * frameMillis;
            double now = millis / 1000;
            while (packets.Count > 0 && packets.Peek().Key <= millis)
            {
                string packet = packets.Dequeue().Value;
                Check(client.Receive(packet, now), "refused: " + packet);
            }
            client.Advance(now);
            if (client.Request(now) != null)
            {
                asked.Add(frame);
            }
            if (shown.TryGetValue(frame, out List<object> expected))
            {
                List<Agent> agents = client.Agents.ToList();
                Check(agents.Count == expected.Count, "agents in frame " + frame);
                for (int n = 0; n < agents.Count; n++)
                {
                    double off = Compare(agents[n], Object(expected[n]), frame, tolerance);
                    farthest = Math.Max(farthest, off);
                    compared++;
                }
            }
        }
        Check(asked.SequenceEqual(asks), "asked in frames " + string.Join(", ", asked));
        Console.WriteLine(
            compared + " places, off by " + farthest.ToString("0.0000000", CultureInfo.InvariantCulture) + " at most");
    }

    static double Compare(
        Agent agent, Dictionary<string, object> expected, ulong frame, double tolerance)
    {
        string where = "agent " + agent.Id + " in frame " + frame;
        Check(agent.Id == (ulong)expected["id"], where + ": another id");
        double off = agent.Position.DistanceTo(PointOf(expected["at"]));
        Check(off <= tolerance, where + ": off by " + off);
        double turn = agent.Facing.DistanceTo(PointOf(expected["facing"]));
        // Written with three digits.
        Check(turn <= tolerance + 0.001, where + ": turned by " + turn);
        string state = agent.State.ToString().ToLowerInvariant();
        Check(state == (string)expected["state"], where + ": " + state);
        return off;
    }

    static void Nonsense()
    {
        const string Path = "{'version':2,'sequence':1,'tick':9,'updates':[{'path':{'id':7,'tick':9,"
            + "'speed':4.0,'chases':null,'reach':1.0,'nav_path':[[0.0,0.0,0.0],[4.0,0.0,0.0]],"
            + "'arrivals':[0,20],'jumps':[1],'links':[]}}]}";
        string good = Path.Replace('\'', '"');
        Check(Packet.TryRead(good, out _), "a good packet");
        string[,] changes =
        {
            { "\"version\":2", "\"version\":3" },
            { "\"sequence\":1", "\"sequence\":-1" },
            { "\"sequence\":1", "\"sequence\":4294967296" },
            { "\"tick\":9,\"updates\"", "\"updates\"" },
            { "path", "march" },
            { "\"speed\":4.0", "\"speed\":-4.0" },
            { "\"speed\":4.0", "\"speed\":1e99" },
            { "[4.0,0.0,0.0]", "[4.0,0.0]" },
            { "[0,20]", "[0]" },
            { "[0,20]", "[1,20]" },
            { "\"jumps\":[1]", "\"jumps\":[2]" },
            { "}}]}", "}}]" },
            { "null", "nil" },
        };
        for (int n = 0; n < changes.GetLength(0); n++)
        {
            string bad = good.Replace(changes[n, 0], changes[n, 1]);
            Check(bad != good && !Packet.TryRead(bad, out _), "taken: " + bad);
        }
        for (int length = 0; length < good.Length; length++)
        {
            Check(!Packet.TryRead(good.Substring(0, length), out _), "taken when cut short");
        }
        Check(!Packet.TryRead(new string('[', 100000), out _), "deep lists");
    }

    static void Ids()
    {
        string text = Message(1, 9, "{\"vanish\":{\"id\":18446744073709551615}}");
        Check(Packet.TryRead(text, out Packet packet), "the greatest id");
        Check(packet.Updates[0].Id == ulong.MaxValue, "all bits of an id");
    }

    static string Message(int sequence, int tick, params string[] updates)
    {
        return "{\"version\":2,\"sequence\":" + sequence + ",\"tick\":" + tick
            + ",\"updates\":[" + string.Join(",", updates) + "]}";
    }

    static Box BoxOf(int layer, Vector3 from, Vector3 to)
    {
        return new Box { Layer = layer, From = from, To = to };
    }

    // Five by four units in cells of half a unit: a wall, a hole, a ramp that is too steep, and two
    // beams, of which one leaves no headroom.
    static MapFrame BuildScene()
    {
        Physics.Scene.Clear();
        Physics.Scene.AddRange(new[]
        {
            BoxOf(0, new Vector3(-4, 0, 6), new Vector3(0, 0.25f, 10)),
            BoxOf(0, new Vector3(0, 0, 7), new Vector3(1, 0.25f, 10)),
            BoxOf(0, new Vector3(-4, 0, 6), new Vector3(-3, 0.5f, 7)),
            BoxOf(1, new Vector3(-2, 0, 7), new Vector3(-1.5f, 3, 9.5f)),
            BoxOf(1, new Vector3(-4, 3, 9.5f), new Vector3(1, 4, 10)),
            BoxOf(1, new Vector3(0, 1.5f, 9.5f), new Vector3(1, 2, 10)),
        });
        Physics.Scene[2].Normal = new Vector3(0.9f, 0.4f, 0);
        return MapFrame.Around(-4, 1, 6, 10, 0.25, 0.5);
    }

    static string Fixture()
    {
        return File.ReadAllText(Path.Combine(fixtures, "scene.bitmap")).Replace("\r\n", "\n");
    }

    static void ExportScene()
    {
        MapFrame frame = BuildScene();
        var ground = new PhysicsGround(frame) { GroundLayers = 1 << 0, ObstacleLayers = 1 << 1 };
        string map = MapExport.Write(frame, ground.IsWalkable);
        Check(map == Fixture(), "another map:\n" + map);
    }

    static void ExportNumbers()
    {
        MapFrame frame = MapFrame.Around(0.5, 1.5, 0, 0.3, -2.5, 0.1);
        Check(frame.Wide == 10 && frame.Height == 3, "cells that fit are kept");
        string map = MapExport.Write(frame, (column, row) => column == 9 && row == 2);
        string[] lines = map.Split('\n');
        Check(lines[0] == "startpos=(0.55, -2.5, 0.25)", lines[0]);
        Check(lines[3] == "accuracy=0.1", lines[3]);
        Check(lines[6] == "{0,0,0,0,0,0,0,0,0,1,},", lines[6]);
        frame.Wide = MapFrame.SideMax + 1;
        try
        {
            MapExport.Write(frame, (column, row) => true);
        }
        catch (ArgumentException)
        {
            return;
        }
        throw new Exception("a map that is too wide");
    }

    static void ExportWindow()
    {
        BuildScene();
        EditorUtility.SavePath = Path.GetTempFileName();
        try
        {
            var window = EditorWindow.GetWindow<MapExportWindow>("");
            const BindingFlags Hidden = BindingFlags.Instance | BindingFlags.NonPublic;
            Type type = typeof(MapExportWindow);
            type.GetField("centre", Hidden).SetValue(window, new Vector3(-1.5f, 0.25f, 8));
            type.GetField("size", Hidden).SetValue(window, new Vector2(5, 4));
            type.GetField("cellSize", Hidden).SetValue(window, 0.5f);
            type.GetField("groundLayers", Hidden).SetValue(window, 1);
            type.GetMethod("OnGUI", Hidden).Invoke(window, null);
            Check(File.ReadAllText(EditorUtility.SavePath) == Fixture(), "another map");
        }
        finally
        {
            File.Delete(EditorUtility.SavePath);
        }
    }

    static void View()
    {
        var view = new ChaseView
        {
            address = "",
            chaserPrefab = new GameObject(),
            playerPrefab = new GameObject(),
        };
        var others = new List<string>();
        view.OtherMessage += others.Add;
        Time.realtimeSinceStartupAsDouble = 0;
        view.Receive("{\"hello\":{}}");
        Check(others.Count == 1, "messages of the game are passed on");
        view.Receive(Message(1, 100, Start.Replace("\"y\"", "\"z\""),
            "{\"appear\":{\"id\":1,\"kind\":\"player\",\"at\":[3.0,4.0,5.0]}}",
            "{\"appear\":{\"id\":7,\"kind\":\"chaser\",\"at\":[0.0,0.0,0.0]}}",
            "{\"path\":{\"id\":7,\"tick\":100,\"speed\":4.0,\"chases\":null,\"reach\":1.0,"
            + "\"nav_path\":[[0.0,0.0,0.0],[0.0,8.0,0.0]],\"arrivals\":[0,40],\"jumps\":[],\"links\":[]}}"));
        Run(view, 0, 1.6);
        GameObject chaser = view.ObjectOf(7);
        GameObject player = view.ObjectOf(1);
        Check(chaser.Original == view.chaserPrefab, "the prefab of chasers");
        Check(player.Original == view.playerPrefab, "the prefab of players");
        Vector3 at = player.transform.localPosition;
        Check(at == new Vector3(3, 5, 4), "the height of the server is that of Unity");
        at = chaser.transform.localPosition;
        Check(at.x == 0 && at.y == 0 && at.z > 4 && at.z < 8, "half way: " + at.z);
        Check(chaser.transform.localRotation.Forward == new Vector3(0, 0, 1), "faces its way");
        view.Receive(Message(2, 132, "{\"vanish\":{\"id\":7}}"));
        Run(view, 1.6, 2);
        Check(chaser.IsDestroyed && view.ObjectOf(7) == null, "gone with its agent");
        Check(view.Request() == null, "nothing is missing");
        view.Receive(Message(4, 136));
        Run(view, 2, 2.2);
        Check(
            view.Request() == "{\"request\":{\"version\":2,\"ask\":\"resync\"}}", "asks after a gap");
        Check(view.Request() == null, "asks once");
    }

    static void Run(ChaseView view, double from, double until)
    {
        for (double now = from; now <= until; now += 0.02)
        {
            Time.realtimeSinceStartupAsDouble = now;
            view.SendMessage("Update");
        }
    }

    static void Socket()
    {
        string[] texts =
        {
            "{\"hello\":{}}",
            Message(1, 100, Start, "{\"appear\":{\"id\":7,\"kind\":\"chaser\",\"at\":[1.0,0.0,2.0]}}"),
            Message(3, 102),
        };
        var server = new SocketServer(texts);
        var view = new ChaseView { address = server.Address, chaserPrefab = new GameObject() };
        var clock = System.Diagnostics.Stopwatch.StartNew();
        // The server ends the connection after the first answer, which the view notices.
        for (bool ends = false; !ends; ends = Debug.Warnings.Count > 0)
        {
            Check(clock.Elapsed.TotalSeconds < 20, "no answer within 20 seconds");
            Time.realtimeSinceStartupAsDouble = 100 + clock.Elapsed.TotalSeconds;
            view.SendMessage("Update");
            Thread.Sleep(5);
        }
        string answer = server.Answer.Result;
        Check(answer == "{\"request\":{\"version\":2,\"ask\":\"resync\"}}", answer);
        Vector3 at = view.ObjectOf(7).transform.localPosition;
        Check(at == new Vector3(1, 0, 2), "the agent of the server");
        view.SendMessage("OnDestroy");
    }
}
#endif
