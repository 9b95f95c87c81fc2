using System;
using System.Collections.Generic;

namespace NavChase
{
    /// <summary>How closely and how smoothly a client follows. In world units and seconds.</summary>
    /// <remarks>The defaults are those of nav_client, where each says why.</remarks>
    [Serializable]
    public sealed class Settings
    {
        /// <summary>How far the shown world lags behind the server.</summary>
        public double Lag = 0.1;
        /// <summary>Distance at which a point counts as touched; at most as many cells.</summary>
        public double Touch = 0.9;
        /// <summary>Distance to its target within which a chaser goes straight to it.</summary>
        public double SteerWithin = 4;
        /// <summary>Greatest distance from the path while it does, in cells.</summary>
        public double Leash = 0.25;
        /// <summary>Greatest factor on the usual speed when catching up.</summary>
        public double CatchUp = 1.5;
        /// <summary>Distance from the path above which an agent jumps.</summary>
        public double Snap = 3;
        /// <summary>How far ahead on its path an agent aims.</summary>
        public double LookAhead = 0.15;
        /// <summary>How long to wait for a missing packet before the view is asked for.</summary>
        public double Reorder = 0.15;
        /// <summary>How long to wait for an answer before asking again.</summary>
        public double Retry = 0.4;
    }

    /// <summary>An agent in view.</summary>
    public sealed class Agent
    {
        internal Agent(ulong id, bool isPlayer, double since, Point at)
        {
            Id = id;
            IsPlayer = isPlayer;
            Since = since;
            Follower = new Follower(at);
        }

        public readonly ulong Id;
        public bool IsPlayer { get; internal set; }

        public Point Position { get { return Follower.Position; } }
        public Point Facing { get { return Follower.Facing; } }
        public FollowState State { get { return Follower.State; } }
        public ulong? Chases { get { return Follower.Chases; } }

        internal readonly Follower Follower;
        // Ticks in which it entered and left the view. The shown tick lags behind both.
        internal readonly double Since;
        internal double Until = double.PositiveInfinity;
        // The packet that last said that it is in view.
        internal uint Presence;

        internal bool IsPresent { get { return double.IsPositiveInfinity(Until); } }
    }

    /// <summary>
    /// A client's copy of a server's world. Pass it messages, advance it in every frame, show its
    /// agents, and send what it requests.
    /// </summary>
    /// <remarks>
    /// Made for connections that keep the order, such as a WebSocket: a packet older than the
    /// newest is dropped, and a gap asks for the whole view. The crate nav_client also sorts late
    /// packets in and asks for single ones, as datagrams need.
    /// A new connection counts packets from 1 on, so it needs a new client.
    /// </remarks>
    public sealed class ChaseClient
    {
        const string Resync = "{\"version\":2,\"ask\":\"resync\"}";

        readonly Settings settings;
        // By id: agents advance in this order, and a chaser steers to where its target is by then.
        readonly List<Agent> agents = new List<Agent>();
        TickClock clock;
        Ground ground;
        uint newest;
        // When to ask for the whole view; null while nothing is missing.
        double? resyncAt;

        public ChaseClient(Settings settings = null)
        {
            this.settings = settings ?? new Settings();
        }

        /// <summary>The scale of the server's world; null before the first packet.</summary>
        public Ground? Ground
        {
            get { return clock == null ? (Ground?)null : ground; }
        }

        /// <summary>
        /// Takes a message that arrives <c>now</c>, in seconds of a clock that never goes back.
        /// Returns false if it is no packet of the protocol.
        /// </summary>
        public bool Receive(string message, double now)
        {
            bool isPacket = Packet.TryRead(message, out Packet packet);
            if (isPacket)
            {
                Receive(packet, now);
            }
            return isPacket;
        }

        public void Receive(Packet packet, double now)
        {
            Update start = packet.Updates.Find(update => update.Kind == UpdateKind.Start);
            if (packet.Sequence <= newest)
            {
                return;
            }
            if (start != null)
            {
                Start(start, packet, now);
            }
            else if (clock == null || packet.Sequence - newest > 1)
            {
                // A server that left packets out may send a start by itself, so wait a little.
                resyncAt = resyncAt ?? now + settings.Reorder;
            }
            if (clock == null)
            {
                return;
            }
            newest = packet.Sequence;
            clock.Receive(packet.Tick, now);
            foreach (Update update in packet.Updates)
            {
                Take(update, packet);
            }
            if (start != null)
            {
                // The packet of a start lists the whole view.
                foreach (Agent agent in agents)
                {
                    if (agent.Presence < packet.Sequence)
                    {
                        Leave(agent, packet.Tick);
                    }
                }
            }
        }

        void Start(Update start, Packet packet, double now)
        {
            resyncAt = null;
            ground = new Ground
            {
                TickSeconds = start.TickSeconds,
                CellSize = start.CellSize,
                Up = start.Up,
            };
            if (clock == null || !clock.Fits(ground.TickSeconds, packet.Tick, now))
            {
                clock = new TickClock(ground.TickSeconds);
            }
        }

        void Take(Update update, Packet packet)
        {
            int place = Find(update.Id);
            if (update.Kind == UpdateKind.Appear)
            {
                Appear(update, packet, place);
                return;
            }
            if (update.Kind == UpdateKind.Start || place < 0)
            {
                return;
            }
            Agent agent = agents[place];
            switch (update.Kind)
            {
                case UpdateKind.Path:
                    agent.Follower.Follow(update, ground);
                    break;
                case UpdateKind.Correct:
                    agent.Follower.Correct(update, ground);
                    break;
                case UpdateKind.Place:
                    agent.Follower.Place(packet.Tick, update.At, settings.Lag, ground);
                    break;
                case UpdateKind.Vanish:
                    Leave(agent, packet.Tick);
                    break;
            }
        }

        void Appear(Update update, Packet packet, int place)
        {
            if (place >= 0 && !agents[place].IsPresent)
            {
                // Its old track would draw it flying in from where it left the view.
                agents.RemoveAt(place);
                place = ~place;
            }
            if (place < 0)
            {
                place = ~place;
                agents.Insert(place, new Agent(update.Id, update.IsPlayer, packet.Tick, update.At));
            }
            Agent agent = agents[place];
            agent.IsPlayer = update.IsPlayer;
            agent.Presence = packet.Sequence;
            agent.Follower.Stand(packet.Tick, update.At, false, ground);
        }

        static void Leave(Agent agent, uint tick)
        {
            agent.Until = Math.Min(agent.Until, tick);
        }

        /// <summary>Advances to the moment of a frame.</summary>
        public void Advance(double now)
        {
            if (clock == null)
            {
                return;
            }
            double seconds = clock.Advance(now, settings.Lag);
            double tick = clock.Shown.Value;
            agents.RemoveAll(agent => agent.Until <= tick);
            foreach (Agent agent in agents)
            {
                if (agent.IsPlayer)
                {
                    agent.Follower.Show(tick, ground);
                }
                else
                {
                    Point? target = TargetOf(agent);
                    agent.Follower.Advance(tick, seconds, target, ground, settings);
                }
            }
        }

        Point? TargetOf(Agent agent)
        {
            int place = agent.Chases == null ? -1 : Find(agent.Chases.Value);
            bool isThere = place >= 0 && agents[place].IsPresent;
            return isThere ? agents[place].Position : (Point?)null;
        }

        /// <summary>The agents in view at the tick shown, by id.</summary>
        public IEnumerable<Agent> Agents
        {
            get
            {
                foreach (Agent agent in agents)
                {
                    if (clock.Shown != null && agent.Since <= clock.Shown)
                    {
                        yield return agent;
                    }
                }
            }
        }

        /// <summary>What to send to the server, as JSON; null for nothing. Ask in every frame.</summary>
        public string Request(double now)
        {
            if (resyncAt == null || now < resyncAt)
            {
                return null;
            }
            resyncAt = now + settings.Retry;
            return Resync;
        }

        // The place of an agent; the complement of where it belongs if it is unknown.
        int Find(ulong id)
        {
            int low = 0;
            int high = agents.Count;
            while (low < high)
            {
                int middle = (low + high) / 2;
                if (agents[middle].Id < id)
                {
                    low = middle + 1;
                }
                else
                {
                    high = middle;
                }
            }
            return low < agents.Count && agents[low].Id == id ? low : ~low;
        }
    }
}
