import { randomBytes } from 'node:crypto'

/** In which header an exchange is named. What it says is nothing to trust until the body has been opened with it. */
export const forwardHeader = 'x-parley-forward'

/** An exchange between two processes: who speaks with whom, when, and a number that is used once. */
export interface ExchangeName {
  readonly from: string
  readonly to: string
  readonly nonce: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Returns the context that the body of a request is bound to. */
export function boundTo(path: string, { from, to, nonce, at }: ExchangeName): string {
  return JSON.stringify([path, from, to, nonce, at])
}

/** Returns the context that one line of a response is bound to: no line can be left out, repeated or moved without notice. */
export function lineBoundTo({ from, to, nonce }: ExchangeName, line: number): string {
  return JSON.stringify(['line', from, to, nonce, line])
}

export function nameExchange(from: string, to: string): ExchangeName {
  return { from, to, nonce: randomBytes(16).toString('hex'), at: Date.now() }
}

export function writeName({ from, nonce, at }: ExchangeName): string {
  return `${from} ${nonce} ${at}`
}

/** Undefined for what is none. */
export function readName(
  text: string | string[] | undefined,
  to: string,
): ExchangeName | undefined {
  const [, from, nonce, at] =
    /^([0-9A-Za-z]{1,40}) ([0-9a-f]{32}) (\d{1,16})$/.exec(typeof text === 'string' ? text : '') ??
    []
  if (from === undefined || nonce === undefined) return undefined
  return { from, to, nonce, at: Number(at) }
}
