// What the load generator asks for, and how it knows that the answer is right.
import { bearerToken, reports } from '../servers/workload.mjs'

/** `tools/call` of `echo`. */
export const echo = {
  request: (id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}`,
  check: (result) => result?.content?.[0]?.text === 'hello' && result.isError !== true,
}

/** The same by the API that mcp-hub has for programs. */
export const hubEcho = {
  path: '/api/servers/tools',
  request: () => '{"server_name":"floor","tool":"echo","arguments":{"text":"hello"}}',
  read: (response) => JSON.parse(response.body).result,
  check: echo.check,
}

const envelope = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
})

/** The same in revision 2026-07-28: without a handshake, with an envelope, and with the headers that repeat it. */
export const standaloneEcho = {
  revision: '2026-07-28',
  headers: { 'mcp-method': 'tools/call', 'mcp-name': 'echo' },
  request: (id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"},"_meta":${envelope}}}`,
  check: (result) => echo.check(result) && result.resultType === 'complete',
}

/** `tools/call` of `large`, which returns so many bytes of text. */
export const large = (bytes = 2 ** 20) => ({
  request: (id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"large","arguments":{}}}`,
  check: (result) => result?.content?.[0]?.text?.length === bytes,
})

/** `tools/call` of `size` with so many bytes of text. */
export const size = (bytes) => {
  let text
  return {
    request(id) {
      text ??= 'x'.repeat(bytes)
      return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"size","arguments":{"text":"${text}"}}}`
    },
    check: (result) => result?.content?.[0]?.text === `${bytes}`,
  }
}

/** `tools/call` of `report`, which sends progress so often before its result. */
export const streamOf = (count) => ({
  request: (id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"report","arguments":{},"_meta":{"progressToken":${id}}}}`,
  check: (result, { body }) =>
    result?.content?.[0]?.text === 'done' &&
    body.split('"method":"notifications/progress"').length - 1 === count,
})

/** The same as often as servers do without being told. */
export const stream = streamOf(reports)

/** `tools/list` to its last page, of the given number of tools or a few more. */
export const list = (count) => ({
  request: (id, cursor) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":${JSON.stringify({ cursor })}}`,
  add: (seen, { tools, nextCursor }) => ({ count: (seen?.count ?? 0) + tools.length, nextCursor }),
  check: (seen) => (seen.count ?? seen.tools?.length) >= count,
})

/** The header of a caller with a token. */
export const bearer = { authorization: `Bearer ${bearerToken}` }
