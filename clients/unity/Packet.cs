using System.Collections.Generic;

namespace NavChase
{
    public enum UpdateKind
    {
        Start,
        Appear,
        Path,
        Correct,
        Place,
        Vanish,
    }

    /// <summary>An update of a packet. docs/book/src/protocol.md says which fields each kind has.</summary>
    public sealed class Update
    {
        public UpdateKind Kind;
        public ulong Id;
        public Point At;
        public bool IsPlayer;
        public uint Tick;
        public double Speed;
        public double Reach;
        public ulong? Chases;
        public bool Jump;
        public Point[] Points;
        public uint[] Arrivals;
        public bool[] Jumps;
        /// <summary>The kind of the link that leads to a point, if one does.</summary>
        public int?[] Links;
        public double TickSeconds;
        public double CellSize;
        /// <summary>The axis that points up: 1 for y, 2 for z.</summary>
        public int Up;
    }

    /// <summary>A packet of the protocol, version 2, in its JSON form.</summary>
    public sealed class Packet
    {
        /// <summary>Most characters of a message: as many as the server's own decoder takes.</summary>
        public const int LengthMax = 1 << 20;

        const ulong Version = 2;

        public uint Sequence;
        public uint Tick;
        public readonly List<Update> Updates = new List<Update>();

        /// <summary>
        /// Reads a packet. Returns false for anything else: another message of the game, another
        /// version, or a packet that makes no sense.
        /// </summary>
        public static bool TryRead(string text, out Packet packet)
        {
            packet = new Packet();
            if (text.Length > LengthMax || !Json.TryRead(text, out object read))
            {
                return false;
            }
            var fields = new Fields(read);
            bool isKnown = fields.Whole("version", ushort.MaxValue) == Version;
            packet.Sequence = (uint)fields.Whole("sequence", uint.MaxValue);
            packet.Tick = (uint)fields.Whole("tick", uint.MaxValue);
            foreach (object item in fields.List("updates"))
            {
                packet.Updates.Add(ReadUpdate(item, fields));
            }
            return isKnown && !fields.Failed;
        }

        static Update ReadUpdate(object item, Fields packet)
        {
            var update = new Update();
            var outer = item as Dictionary<string, object>;
            if (outer == null || outer.Count != 1)
            {
                packet.Failed = true;
                return update;
            }
            foreach (KeyValuePair<string, object> only in outer)
            {
                var fields = new Fields(only.Value);
                ReadKind(only.Key, fields, update);
                packet.Failed |= fields.Failed;
            }
            return update;
        }

        static void ReadKind(string kind, Fields fields, Update update)
        {
            if (kind == "start")
            {
                update.Kind = UpdateKind.Start;
                update.TickSeconds = fields.Whole("tick_micros", uint.MaxValue) / 1e6;
                update.CellSize = fields.Length("cell_size");
                string up = fields.Text("up");
                update.Up = up == "y" ? 1 : 2;
                fields.Failed |= update.TickSeconds <= 0 || update.CellSize <= 0;
                fields.Failed |= up != "y" && up != "z";
                return;
            }
            update.Id = fields.Whole("id", ulong.MaxValue);
            switch (kind)
            {
                case "appear":
                    update.Kind = UpdateKind.Appear;
                    update.At = fields.Point("at");
                    string name = fields.Text("kind");
                    update.IsPlayer = name == "player";
                    fields.Failed |= name != "player" && name != "chaser";
                    break;
                case "path":
                    update.Kind = UpdateKind.Path;
                    update.Reach = fields.Length("reach");
                    ReadWay(fields, update);
                    ReadPoints(fields, update);
                    break;
                case "correct":
                    update.Kind = UpdateKind.Correct;
                    update.At = fields.Point("at");
                    update.Jump = fields.Flag("jump");
                    ReadWay(fields, update);
                    break;
                case "place":
                    update.Kind = UpdateKind.Place;
                    update.At = fields.Point("at");
                    break;
                case "vanish":
                    update.Kind = UpdateKind.Vanish;
                    break;
                default:
                    fields.Failed = true;
                    break;
            }
        }

        static void ReadWay(Fields fields, Update update)
        {
            update.Tick = (uint)fields.Whole("tick", uint.MaxValue);
            update.Speed = fields.Length("speed");
            update.Chases = fields.WholeOrNull("chases");
        }

        static void ReadPoints(Fields fields, Update update)
        {
            List<object> points = fields.List("nav_path");
            List<object> arrivals = fields.List("arrivals");
            if (points.Count == 0 || points.Count != arrivals.Count)
            {
                fields.Failed = true;
                return;
            }
            update.Points = new Point[points.Count];
            update.Arrivals = new uint[points.Count];
            update.Jumps = new bool[points.Count];
            update.Links = new int?[points.Count];
            uint last = 0;
            for (int n = 0; n < points.Count; n++)
            {
                update.Points[n] = fields.ToPoint(points[n]);
                uint arrival = (uint)fields.ToWhole(arrivals[n], uint.MaxValue);
                fields.Failed |= n == 0 ? arrival != 0 : arrival < last;
                update.Arrivals[n] = last = arrival;
            }
            foreach (object jump in fields.List("jumps"))
            {
                ulong n = fields.ToWhole(jump, (ulong)points.Count - 1);
                update.Jumps[n] = true;
            }
            int end = 0;
            foreach (object item in fields.List("links"))
            {
                var link = new Fields(item);
                int point = (int)link.Whole("point", (ulong)points.Count - 1);
                int kind = (int)link.Whole("kind", 15);
                fields.Failed |= link.Failed || point <= end || update.Jumps[point];
                update.Links[point] = kind;
                end = point;
            }
        }

        /// <summary>
        /// The fields of an object. A field that is missing or of another type sets Failed and
        /// reads as 0, so that the reader above needs one check and not one a field.
        /// </summary>
        sealed class Fields
        {
            public bool Failed;

            static readonly List<object> Nothing = new List<object>();

            readonly Dictionary<string, object> fields;

            public Fields(object read)
            {
                fields = read as Dictionary<string, object> ?? new Dictionary<string, object>();
                Failed = !(read is Dictionary<string, object>);
            }

            object Get(string name)
            {
                bool has = fields.TryGetValue(name, out object value);
                Failed |= !has;
                return value;
            }

            public string Text(string name)
            {
                return Get(name) as string;
            }

            public bool Flag(string name)
            {
                bool? value = Get(name) as bool?;
                Failed |= value == null;
                return value == true;
            }

            public List<object> List(string name)
            {
                var list = Get(name) as List<object>;
                Failed |= list == null;
                return list ?? Nothing;
            }

            public ulong Whole(string name, ulong most)
            {
                return ToWhole(Get(name), most);
            }

            public ulong? WholeOrNull(string name)
            {
                object value = Get(name);
                return value == null ? (ulong?)null : ToWhole(value, ulong.MaxValue);
            }

            public double Length(string name)
            {
                double length = ToNumber(Get(name));
                Failed |= length < 0;
                return length;
            }

            public Point Point(string name)
            {
                return ToPoint(Get(name));
            }

            public ulong ToWhole(object value, ulong most)
            {
                ulong? whole = value as ulong?;
                if (whole == null || whole > most)
                {
                    Failed = true;
                    return 0;
                }
                return whole.Value;
            }

            public Point ToPoint(object value)
            {
                var list = value as List<object>;
                if (list == null || list.Count != 3)
                {
                    Failed = true;
                    return new Point();
                }
                return new Point(ToNumber(list[0]), ToNumber(list[1]), ToNumber(list[2]));
            }

            double ToNumber(object value)
            {
                double number = value is ulong ? (ulong)value : value as double? ?? double.NaN;
                // The server's numbers have 32 bits, so that a decimal stands for the nearest one.
                number = (float)number;
                Failed |= double.IsNaN(number) || double.IsInfinity(number);
                return number;
            }
        }
    }
}
