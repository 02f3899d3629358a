/** What goes with any message: its call, its answer, its place in queues. */
const ownBytes = 2_048
/** No text becomes more than so many times as much in memory. */
const greatestRatio = 24
/** Short texts are not looked at. */
const shortLength = 1_024

/** In memory, measured; of an object with members each of them costs more than the object. */
const [objectBytes, arrayBytes, stringBytes, memberBytes, nameBytes] = [64, 48, 24, 16, 64]
const [brace, bracket, quote, comma, colon] = [0x7b, 0x5b, 0x22, 0x2c, 0x3a]

/** How much memory a message takes once it is read, at most: text of two bytes a character, and all that is made of it. */
export function jsonWeight(text: string): number {
  const { length } = text
  if (length <= shortLength) return ownBytes + length * greatestRatio
  let bytes = ownBytes + 2 * length
  for (let at = 0; at < length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        bytes += stringBytes
        at = endOfString(text, at + 1)
        break
      case brace:
        bytes += objectBytes
        break
      case bracket:
        bytes += arrayBytes
        break
      case comma:
        bytes += memberBytes
        break
      case colon:
        bytes += nameBytes
    }
  }
  return bytes
}

/** Where its last quote is, or the text ends. */
function endOfString(text: string, from: number): number {
  for (let at = from; ;) {
    const end = text.indexOf('"', at)
    if (end === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes += 1
    if (slashes % 2 === 0) return end
    at = end + 1
  }
}
