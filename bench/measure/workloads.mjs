// What the load generator asks for, and how it knows that the answer is right.

/** `tools/call` of `echo`. */
export const echo = {
  request: (id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"hello"}}}`,
  check: (result) => result?.content?.[0]?.text === 'hello' && result.isError !== true,
}

/** `tools/call` of `large`, which returns 1 MiB of text. */
export const large = {
  request: (id) =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"large","arguments":{}}}`,
  check: (result) => result?.content?.[0]?.text?.length === 2 ** 20,
}

/** `tools/list` of the given number of tools or a little more. */
export const list = (count) => ({
  request: (id) => `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}`,
  check: (result) => result?.tools?.length >= count,
})
