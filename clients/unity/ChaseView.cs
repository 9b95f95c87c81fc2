using System;
using System.Collections.Generic;
using UnityEngine;

namespace NavChase
{
    /// <summary>Follows a server: one object per agent in view, made from a prefab and moved.</summary>
    public sealed class ChaseView : MonoBehaviour
    {
        // Seconds from one attempt to connect to the next. A guess.
        const double ReconnectSeconds = 2;

        [Tooltip("Where the server sends packets as JSON. Empty: call Receive yourself.")]
        public string address = "ws://127.0.0.1:8080/ws?view=near";

        [Tooltip("`chase serve` takes requests in a field of this name. Empty: as they are.")]
        public string requestField = "request";

        public GameObject chaserPrefab;
        public GameObject playerPrefab;
        public Settings settings = new Settings();

        /// <summary>Messages of the server that are no packets, for the game to read.</summary>
        public event Action<string> OtherMessage;

        readonly Dictionary<ulong, GameObject> shown = new Dictionary<ulong, GameObject>();
        readonly List<ulong> gone = new List<ulong>();
        readonly HashSet<ulong> inView = new HashSet<ulong>();
        ChaseClient client;
        ChaseSocket socket;
        double connectAt;

        /// <summary>The agents, with more than their objects show: whom they chase, what they do.</summary>
        public IEnumerable<Agent> Agents
        {
            get { return client == null ? new Agent[0] : client.Agents; }
        }

        /// <summary>The object of an agent; null if it is not in view.</summary>
        public GameObject ObjectOf(ulong id)
        {
            return shown.TryGetValue(id, out GameObject it) ? it : null;
        }

        /// <summary>Sends the server a message of the game.</summary>
        public void Send(string message)
        {
            if (socket != null)
            {
                socket.Send(message);
            }
        }

        /// <summary>Takes a message of the server.</summary>
        public void Receive(string message)
        {
            client = client ?? new ChaseClient(settings);
            if (!client.Receive(message, Time.realtimeSinceStartupAsDouble) && OtherMessage != null)
            {
                OtherMessage(message);
            }
        }

        /// <summary>What to send to the server if the address is empty; null for nothing.</summary>
        public string Request()
        {
            string request =
                client == null ? null : client.Request(Time.realtimeSinceStartupAsDouble);
            return request == null || string.IsNullOrEmpty(requestField)
                ? request
                : "{\"" + requestField + "\":" + request + "}";
        }

        void Update()
        {
            if (!string.IsNullOrEmpty(address))
            {
                Exchange(Time.realtimeSinceStartupAsDouble);
            }
            if (client != null)
            {
                client.Advance(Time.realtimeSinceStartupAsDouble);
                Show();
            }
        }

        void OnDestroy()
        {
            Close();
        }

        void Exchange(double now)
        {
            if (socket == null && now >= connectAt)
            {
                socket = new ChaseSocket(new Uri(address));
                // A connection counts packets from 1 on, and begins with the whole view.
                client = null;
            }
            if (socket == null)
            {
                return;
            }
            while (socket.TryRead(out string message))
            {
                Receive(message);
            }
            string request = Request();
            if (request != null)
            {
                socket.Send(request);
            }
            if (socket.IsClosed)
            {
                Debug.LogWarning("Chase server: " + (socket.Problem ?? "closed"));
                Close();
                connectAt = now + ReconnectSeconds;
            }
        }

        void Close()
        {
            if (socket != null)
            {
                socket.Dispose();
                socket = null;
            }
        }

        void Show()
        {
            int up = client.Ground == null ? 1 : client.Ground.Value.Up;
            inView.Clear();
            foreach (Agent agent in client.Agents)
            {
                inView.Add(agent.Id);
                if (!shown.TryGetValue(agent.Id, out GameObject it))
                {
                    it = Instantiate(agent.IsPlayer ? playerPrefab : chaserPrefab, transform);
                    it.name = (agent.IsPlayer ? "Player " : "Chaser ") + agent.Id;
                    shown.Add(agent.Id, it);
                }
                it.transform.localPosition = ToUnity(agent.Position, up);
                Vector3 facing = ToUnity(agent.Facing, up);
                if (facing != Vector3.zero)
                {
                    it.transform.localRotation = Quaternion.LookRotation(facing);
                }
            }
            foreach (ulong id in shown.Keys)
            {
                if (!inView.Contains(id))
                {
                    gone.Add(id);
                }
            }
            foreach (ulong id in gone)
            {
                Destroy(shown[id]);
                shown.Remove(id);
            }
            gone.Clear();
        }

        // Where the server's z points up, it becomes Unity's y.
        static Vector3 ToUnity(Point at, int up)
        {
            return up == 1
                ? new Vector3((float)at.X, (float)at.Y, (float)at.Z)
                : new Vector3((float)at.X, (float)at.Z, (float)at.Y);
        }
    }
}
