/** What somebody did at the keyboard. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  /** Text that was pasted, however long it is. */
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'key'; readonly name: KeyName }

/** Keys that are no letters. */
export type KeyName =
  | 'enter'
  | 'newline'
  | 'escape'
  | 'tab'
  | 'back-tab'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'page-up'
  | 'page-down'
  | 'word-left'
  | 'word-right'
  | `ctrl-${string}`

/** Reads keys from what a terminal sends. */
export interface KeyReader extends Disposable {
  write(chunk: string): void
}

/** So long may the rest of a sequence take; then it was the key Escape. */
const escapeMs = 40
/** Longer pastes are cut. */
const maxPasted = 4 * 2 ** 20
const pasteBegins = '\u001b[200~'
const pasteEnds = '\u001b[201~'

/** Tells each key once it is known. */
export function createKeyReader(emit: (key: Key) => void): KeyReader {
  let pending = ''
  let pasted: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function readPaste(): boolean {
    const end = pending.indexOf(pasteEnds)
    const length = end === -1 ? pending.length - (pasteEnds.length - 1) : end
    if (length > 0) pasted = ((pasted ?? '') + pending.slice(0, length)).slice(0, maxPasted)
    pending = pending.slice(Math.max(0, end === -1 ? length : length + pasteEnds.length))
    if (end === -1) return false
    const text = (pasted ?? '').replaceAll(/\r\n?/g, '\n')
    pasted = undefined
    if (text !== '') emit({ kind: 'paste', text })
    return true
  }

  /** False if more has to come first. */
  function readOne(): boolean {
    if (pasted !== undefined) return readPaste()
    if (pending.startsWith(pasteBegins)) {
      pending = pending.slice(pasteBegins.length)
      pasted = ''
      return true
    }
    if (pending.startsWith('\u001b')) return readSequence()
    const [plain] = /^[^\u0000-\u001f\u007f-\u009f]+/.exec(pending) ?? [] // oxlint-disable-line no-control-regex
    if (plain !== undefined) {
      emit({ kind: 'text', text: plain })
      pending = pending.slice(plain.length)
      return true
    }
    const name = controlKey(pending.charCodeAt(0))
    pending = pending.slice(1)
    if (name !== undefined) emit({ kind: 'key', name })
    return true
  }

  function readSequence(): boolean {
    const [whole, keypad, end] = sequence.exec(pending) ?? []
    if (whole !== undefined) {
      pending = pending.slice(whole.length)
      const name = sequences[`${keypad ?? ''}${end ?? ''}`]
      if (name !== undefined) emit({ kind: 'key', name })
      return true
    }
    const reply = /^\u001b[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)/.exec(pending)?.[0] // oxlint-disable-line no-control-regex
    if (reply !== undefined) {
      pending = pending.slice(reply.length) // what a terminal says about itself
      return true
    }
    if (unfinished.test(pending)) return false
    const next = pending[1] ?? ''
    const name = next === '\u001b' ? 'escape' : withAlt[next]
    pending = pending.slice(next === '\u001b' ? 1 : 2)
    if (name !== undefined) emit({ kind: 'key', name })
    return true
  }

  function read(): void {
    while (pending !== '' && readOne()) {
      // each takes something away
    }
  }

  return {
    write(chunk) {
      clearTimeout(timer)
      if (pasted === undefined && pending === '' && isPlainPaste(chunk)) {
        // A terminal that does not mark what is pasted.
        emit({ kind: 'paste', text: chunk.replaceAll(/\r\n?/g, '\n').slice(0, maxPasted) })
        return
      }
      pending += chunk
      read()
      if (pending === '' || pasted !== undefined) return
      timer = setTimeout(() => {
        pending = ''
        emit({ kind: 'key', name: 'escape' })
      }, escapeMs)
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

/** Lines that arrive together were not typed. */
function isPlainPaste(chunk: string): boolean {
  return chunk.length > 3 && /[\r\n][^\r\n]/.test(chunk) && !otherControls.test(chunk)
}

const otherControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/ // oxlint-disable-line no-control-regex
const sequence = /^\u001b(?:\[([0-?]*)|O)([@-~])/ // oxlint-disable-line no-control-regex
const unfinished = /^\u001b(?:\[[0-?]*[ -/]*|O|[\]P_^X][^\u0007\u001b]*\u001b?)?$/ // oxlint-disable-line no-control-regex

const sequences: { readonly [sequence: string]: KeyName } = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'back-tab',
  '1~': 'home',
  '4~': 'end',
  '7~': 'home',
  '8~': 'end',
  '3~': 'delete',
  '5~': 'page-up',
  '6~': 'page-down',
  '1;5C': 'word-right',
  '1;5D': 'word-left',
  '1;3C': 'word-right',
  '1;3D': 'word-left',
  '13;2u': 'newline',
}

const withAlt: { readonly [letter: string]: KeyName } = {
  '\r': 'newline',
  '\n': 'newline',
  b: 'word-left',
  f: 'word-right',
  '\u007f': 'ctrl-w',
}

function controlKey(code: number): KeyName | undefined {
  if (code === 0x0d) return 'enter'
  if (code === 0x0a) return 'newline'
  if (code === 0x09) return 'tab'
  if (code === 0x7f || code === 0x08) return 'backspace'
  if (code >= 1 && code <= 26) return `ctrl-${String.fromCharCode(96 + code)}`
  return undefined
}
