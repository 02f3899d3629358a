/** The events of a stream, as bytes bring them. */

/**
 * @typedef {object} SseEvent
 * @property {string} [id]
 * @property {string} [data] none for an event that only says where the reader is
 * @property {number} [retryMs]
 */

/**
 * Takes text in pieces and calls back with each whole event.
 *
 * @param {(event: SseEvent) => void} onEvent
 * @returns {(text: string) => void}
 */
export function createEventReader(onEvent) {
  /** @type {string[]} */
  let waiting = []
  return (text) => {
    waiting.push(text)
    if (!text.includes('\n\n') && !(text.startsWith('\n') && waiting.length > 1)) return
    const blocks = waiting.join('').split('\n\n')
    waiting = [blocks.pop() ?? '']
    for (const block of blocks) onEvent(readBlock(block))
  }
}

/** @param {string} block */
function readBlock(block) {
  /** @type {SseEvent} */
  const event = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')]
    if (name === 'id') event.id = value
    if (name === 'data') event.data = value
    if (name === 'retry') event.retryMs = Number(value)
  }
  return event
}
