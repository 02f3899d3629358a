import { ToolError } from '../../rpc/errors/tool-error.ts'
import { encodeBase64 } from '../../schema/json/base64.ts'
import type { CallToolResult } from '../../schema/tools.ts'
import type { Call } from '../calls/call.ts'
import type { Binary } from '../resources/binary.ts'
import { isTextual, readBinary } from '../resources/read-binary.ts'

/** The body of a file or a response, as a tool's result. */
export async function binaryResult(value: Binary, { caller }: Call): Promise<CallToolResult> {
  if ('ok' in value && !value.ok) {
    throw new ToolError(`The request failed with status ${value.status} ${value.statusText}`.trim())
  }
  const { mimeType, bytes } = await readBinary(value, caller.limits.messageBytes)
  if (mimeType.startsWith('image/')) return mediaResult('image', mimeType, bytes)
  if (mimeType.startsWith('audio/')) return mediaResult('audio', mimeType, bytes)
  if (isTextual(mimeType))
    return { content: [{ type: 'text', text: new TextDecoder().decode(bytes) }] }
  throw new TypeError(
    `a tool cannot return a body of type ${mimeType}: return embed(uri, bytes) instead`,
  )
}

function mediaResult(type: 'image' | 'audio', mimeType: string, bytes: Uint8Array): CallToolResult {
  return { content: [{ type, mimeType, data: encodeBase64(bytes) }] }
}
