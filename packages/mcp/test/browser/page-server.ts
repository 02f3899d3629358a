import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { bundleClient } from './client-bundle.ts'

/** A site with one page, whose script has the client as the global `parley`. */
export interface PageServer extends AsyncDisposable {
  /** By its address, and by a name that is this machine for browsers alone. */
  readonly origins: { readonly address: string; readonly name: string }
}

const html = `<!doctype html><title>A page</title><link rel="icon" href="data:,"><script type="module">
import * as parley from './client.js'
globalThis.parley = parley
</script>`

export async function servePage(): Promise<PageServer> {
  const scripts = new Map(
    (await bundleClient()).map(({ fileName, code }) => [`/${fileName}`, code]),
  )
  const http = createServer(({ url = '/' }, response) => {
    const script = scripts.get(url)
    if (script !== undefined) {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    } else if (url === '/') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    } else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo // listening on an address, not a pipe

  return {
    origins: { address: `http://127.0.0.1:${port}`, name: `http://page.localhost:${port}` },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
