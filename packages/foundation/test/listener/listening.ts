import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type Listener, type ListenerOptions, startListener } from '@parley/foundation/listener'

/** A listener with a page, one route and one WebSocket path, and how to talk to it without a browser's manners. */
export interface Listening extends AsyncDisposable {
  readonly listener: Listener
  readonly folder: string
  /** What the route was called with. */
  readonly calls: unknown[]
  readonly upgrades: string[]
  send(given: Given): Promise<Answer>
  /** Cookie, key and origin of a page that has entered. */
  enter(): Promise<Record<string, string>>
}

export interface Given {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export async function listen(options: Partial<ListenerOptions> = {}): Promise<Listening> {
  const root = await mkdtemp(join(tmpdir(), 'listener-'))
  const folder = join(root, 'page')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>page</title>')
  await writeFile(join(folder, 'assets', 'main-Ab12Cd34.js'), `console.log(1)\n`.repeat(200))
  await writeFile(join(folder, '.hidden'), 'hidden')
  await writeFile(join(root, 'secret.txt'), 'outside')
  await symlink(join(root, 'secret.txt'), join(folder, 'link.txt'))
  const calls: unknown[] = []
  const upgrades: string[] = []

  const listener = await startListener({
    port: 0,
    ...options,
    app: {
      name: 'test',
      folder,
      routes: {
        'POST /api/do': ({ body }) => {
          calls.push(body)
          return { json: { done: true } }
        },
        'GET /api/look': () => ({ json: { seen: true } }),
        'POST /api/fail': () => {
          throw new Error('a secret of the inside')
        },
      },
      sockets: {
        '/api/channel': (request, socket) => {
          upgrades.push(request.headers['sec-websocket-protocol'] ?? '')
          socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: close\r\n\r\n')
        },
      },
    },
  })

  async function send({ method = 'GET', path, headers = {}, body }: Given): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest({
        host: '127.0.0.1',
        port: listener.port,
        method,
        path,
        headers: { host: `127.0.0.1:${listener.port}`, ...headers },
        agent: false,
      })
      sent.on('error', reject)
      sent.on('upgrade', ({ statusCode = 0, headers: got }, socket) => {
        socket.destroy()
        resolve({ status: statusCode, headers: got, text: '' })
      })
      sent.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => (text += part))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
        response.on('error', reject)
      })
      sent.end(body)
    })
  }

  return {
    listener,
    folder,
    calls,
    upgrades,
    send,
    async enter() {
      const { origin } = listener.url
      const secret = listener.createEntryUrl().hash.slice('#secret='.length)
      const answer = await send({
        method: 'POST',
        path: `${listener.url.pathname}api/enter`,
        headers: { origin, 'content-type': 'application/json', 'x-parley': '1' },
        body: JSON.stringify({ secret }),
      })
      const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
      const { key } = JSON.parse(answer.text) as { key: string }
      return { cookie, 'x-parley': key, origin, 'content-type': 'application/json' }
    },
    async [Symbol.asyncDispose]() {
      await listener.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}
