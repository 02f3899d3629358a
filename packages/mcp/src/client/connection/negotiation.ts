import { McpError } from '../../rpc/errors/mcp-error.ts'
import { isRpcError } from '../../rpc/errors/rpc-error.ts'
import { isJsonObject } from '../../schema/json.ts'
import { requestCodecFor, type RequestCodec } from '../../wire/request-codec.ts'

/** The client's part: any answer we speak is fine, any other ends the connection. */
export function acceptVersion(
  acceptedVersion: string,
  ours: readonly string[],
  peer?: string,
): RequestCodec {
  const codec = requestCodecFor(acceptedVersion, ours)
  if (codec !== undefined) return codec
  throw noCommonVersion(ours, [acceptedVersion], peer)
}

/** Some servers refuse `initialize` with the versions they speak instead of making an offer. */
export function versionRejection(
  error: unknown,
  ours: readonly string[],
  peer?: string,
): McpError | undefined {
  if (!isRpcError(error) || !isJsonObject(error.data)) return undefined
  const { supported } = error.data
  if (!Array.isArray(supported)) return undefined
  return noCommonVersion(ours, supported.map(String), peer, error)
}

/** Both lists, for who can change one of them. */
export function noCommonVersion(
  ours: readonly string[],
  theirs: readonly string[],
  peer?: string,
  cause?: unknown,
): McpError {
  return new McpError(
    'no_common_version',
    `no protocol version in common: we speak ${ours.join(', ')}, ${peer ?? 'the server'} speaks ${theirs.join(', ')}`,
    { details: { ours, theirs }, peer, ...(cause !== undefined && { cause }) },
  )
}
