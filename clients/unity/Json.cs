using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace NavChase
{
    /// <summary>
    /// Reads JSON into dictionaries, lists, strings, numbers, booleans and null.
    /// </summary>
    /// <remarks>
    /// Unity's JsonUtility reads neither lists of lists nor objects of unknown fields, and the
    /// protocol has both. Whole numbers from 0 on are <c>ulong</c>, because an id has 64 bits; all
    /// others are <c>double</c>.
    /// </remarks>
    public sealed class Json
    {
        // Packets nest six deep. The limit keeps hostile input from overflowing the stack.
        const int DepthMax = 32;

        readonly string text;
        int place;
        bool failed;

        Json(string text)
        {
            this.text = text;
        }

        /// <summary>Reads a value. Returns false if the text is anything else than one.</summary>
        public static bool TryRead(string text, out object value)
        {
            var json = new Json(text);
            value = json.ReadValue(0);
            json.SkipSpace();
            return !json.failed && json.place == text.Length;
        }

        object ReadValue(int depth)
        {
            SkipSpace();
            if (failed || depth > DepthMax || place >= text.Length)
            {
                return Fail();
            }
            switch (text[place])
            {
                case '{':
                    return ReadObject(depth);
                case '[':
                    return ReadList(depth);
                case '"':
                    return ReadString();
                case 't':
                    return Word("true") ? true : Fail();
                case 'f':
                    return Word("false") ? false : Fail();
                case 'n':
                    return Word("null") ? null : Fail();
                default:
                    return ReadNumber();
            }
        }

        Dictionary<string, object> ReadObject(int depth)
        {
            var fields = new Dictionary<string, object>();
            place++;
            if (Take('}'))
            {
                return fields;
            }
            do
            {
                SkipSpace();
                string name = ReadString();
                if (name == null || !Take(':'))
                {
                    Fail();
                    return fields;
                }
                fields[name] = ReadValue(depth + 1);
            }
            while (!failed && Take(','));
            if (!Take('}'))
            {
                Fail();
            }
            return fields;
        }

        List<object> ReadList(int depth)
        {
            var items = new List<object>();
            place++;
            if (Take(']'))
            {
                return items;
            }
            do
            {
                items.Add(ReadValue(depth + 1));
            }
            while (!failed && Take(','));
            if (!Take(']'))
            {
                Fail();
            }
            return items;
        }

        string ReadString()
        {
            if (place >= text.Length || text[place] != '"')
            {
                return (string)Fail();
            }
            var read = new StringBuilder();
            for (place++; place < text.Length; place++)
            {
                char sign = text[place];
                if (sign == '"')
                {
                    place++;
                    return read.ToString();
                }
                if (sign == '\\' && !Escape(out sign))
                {
                    break;
                }
                read.Append(sign);
            }
            return (string)Fail();
        }

        // Leaves the place at the last character of the escape.
        bool Escape(out char sign)
        {
            sign = '\0';
            if (++place >= text.Length)
            {
                return false;
            }
            switch (text[place])
            {
                case 'b': sign = '\b'; return true;
                case 'f': sign = '\f'; return true;
                case 'n': sign = '\n'; return true;
                case 'r': sign = '\r'; return true;
                case 't': sign = '\t'; return true;
                case '"':
                case '\\':
                case '/': sign = text[place]; return true;
                case 'u': return Unicode(out sign);
                default: return false;
            }
        }

        bool Unicode(out char sign)
        {
            sign = '\0';
            if (place + 4 >= text.Length)
            {
                return false;
            }
            string digits = text.Substring(place + 1, 4);
            place += 4;
            bool isNumber = ushort.TryParse(
                digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out ushort code);
            sign = (char)code;
            return isNumber;
        }

        object ReadNumber()
        {
            int start = place;
            while (place < text.Length && "+-.0123456789Ee".IndexOf(text[place]) >= 0)
            {
                place++;
            }
            string number = text.Substring(start, place - start);
            CultureInfo culture = CultureInfo.InvariantCulture;
            if (ulong.TryParse(number, NumberStyles.None, culture, out ulong whole))
            {
                return whole;
            }
            NumberStyles style = NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint
                | NumberStyles.AllowExponent;
            return double.TryParse(number, style, culture, out double real) ? real : Fail();
        }

        bool Word(string word)
        {
            bool isHere = string.CompareOrdinal(text, place, word, 0, word.Length) == 0;
            place += isHere ? word.Length : 0;
            return isHere;
        }

        bool Take(char sign)
        {
            SkipSpace();
            bool isHere = place < text.Length && text[place] == sign;
            place += isHere ? 1 : 0;
            return isHere;
        }

        void SkipSpace()
        {
            while (place < text.Length && " \t\r\n".IndexOf(text[place]) >= 0)
            {
                place++;
            }
        }

        object Fail()
        {
            failed = true;
            return null;
        }
    }
}
