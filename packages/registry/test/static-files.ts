import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, normalize } from 'node:path'

/** A web server that knows nothing of registries: `try_files $uri $uri.json $uri/index.json`. */
export async function servePlainFiles(folder: string): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?', 1)
    const file = normalize(join(folder, decodeURIComponent(path)))
    const found = [file, `${file}.json`, join(file, 'index.json')].find((one) =>
      statSync(one, { throwIfNoEntry: false })?.isFile(),
    )
    if (!file.startsWith(folder) || found === undefined) {
      response.writeHead(404).end('not found')
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    createReadStream(found).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // listening on an address
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
