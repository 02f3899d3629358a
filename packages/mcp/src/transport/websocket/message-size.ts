import { RpcError } from '../../rpc/errors/rpc-error.ts'

const encoder = new TextEncoder()

/** A UTF-16 unit is one to three bytes, so most texts need no counting. */
export function isLonger(text: string, messageBytes: number): boolean {
  if (text.length > messageBytes) return true
  return text.length * 3 > messageBytes && encoder.encode(text).length > messageBytes
}

/** What stands for a message that was not taken. */
export function tooLong(text: string, allowed: number): RpcError<'limit_exceeded'> {
  const why = `a message is longer than limits.messageBytes (${allowed}) allows`
  return new RpcError('limit_exceeded', why, {
    data: { limit: 'messageBytes', allowed, seen: encoder.encode(text).length },
  })
}
