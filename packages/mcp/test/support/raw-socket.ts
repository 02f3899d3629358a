import { connect } from 'node:net'

/** A TCP connection that says exactly what it is told. */
export interface RawSocket extends Disposable {
  write(text: string | Uint8Array): void
  /** Everything received so far. */
  readonly text: string
  /** Resolves with everything when the other side has closed. */
  readonly closed: Promise<string>
  /** Resolves when what was received contains this. */
  until(part: string): Promise<string>
  /** Stops reading. */
  pause(): void
  resume(): void
}

export async function openSocket(port: number): Promise<RawSocket> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  let check = (): void => undefined
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    check()
  })
  socket.on('error', () => undefined) // told by close
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  await new Promise<void>((resolve) => socket.once('connect', resolve))

  return {
    write: (more) => void socket.write(more),
    get text() {
      return text
    },
    closed,
    until: (part) =>
      new Promise((resolve) => {
        check = () => {
          if (text.includes(part)) resolve(text)
        }
        check()
      }),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    [Symbol.dispose]: () => void socket.destroy(),
  }
}

/** The head of a POST, without its body. */
export function head(headers: Record<string, string | number> = {}): string {
  const all = {
    host: 'localhost',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}
