/** `node --expose-gc packages/tools/bench/openapi.mjs DOCUMENT…`: what it costs to make tools of OpenAPI documents. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

import { fromOpenApi } from '@parley/tools/openapi'

for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8')
  const options = { baseUrl: 'https://api.example.com' }
  const heap = heapUsed()
  let before = performance.now()
  const document = JSON.parse(text)
  const parsedMs = performance.now() - before
  const documentMiB = mebibytes(heapUsed() - heap)

  before = performance.now()
  const api = fromOpenApi(document, options)
  const madeMs = performance.now() - before
  const madeMiB = mebibytes(heapUsed() - heap) - documentMiB

  before = performance.now()
  const server = api.server()
  const servedMs = performance.now() - before
  const listed = server.tools()
  const schemas = listed.map(({ inputSchema }) => JSON.stringify(inputSchema).length)
  console.log(
    [
      `${basename(file)}: ${api.tools.length} tools, ${api.skipped.length} skipped`,
      `parse ${parsedMs.toFixed(0)} ms, ${documentMiB.toFixed(0)} MiB`,
      `tools ${madeMs.toFixed(0)} ms, ${madeMiB.toFixed(0)} MiB more`,
      `server ${servedMs.toFixed(0)} ms`,
      `list ${mebibytes(JSON.stringify(listed).length).toFixed(1)} MiB, of that input schemas ${mebibytes(sum(schemas)).toFixed(1)}, longest ${Math.max(...schemas)} bytes`,
    ].join('\n  '),
  )
}

function heapUsed() {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

/** @param {number} bytes */
function mebibytes(bytes) {
  return bytes / 2 ** 20
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((one, other) => one + other, 0)
}
