import { once } from 'node:events'

import WebSocket from 'ws'

/** What a page of ours can ask. */
export interface Page extends Disposable {
  ask(method: string, params: object): Promise<{ readonly [name: string]: unknown }>
}

/** Enters with a link, as a browser does. */
export async function enterPage(link: string, protocol = 'parley.inspector.1'): Promise<Page> {
  const url = new URL(link)
  const secret = /secret=(.+)$/.exec(url.hash)?.[1]
  const { origin } = url
  const post = (path: string, body: object, headers: Record<string, string>) =>
    fetch(new URL(path, origin), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    })
  const entered = await post('/api/enter', { secret }, { 'x-parley': '1' })
  const { key } = (await entered.json()) as { readonly key: string } // what entering gives
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const granted = await post('/api/ticket', {}, { 'x-parley': key, cookie })
  const { ticket } = (await granted.json()) as { readonly ticket: string } // the same
  const socket = new WebSocket(
    `${origin.replace('http', 'ws')}/api/channel`,
    [protocol, `ticket.${ticket}`],
    { headers: { cookie, origin } },
  )
  await once(socket, 'open')
  let last = 0

  return {
    ask(method, params) {
      last += 1
      const id = last
      socket.send(JSON.stringify({ id, method, params }))
      return new Promise((resolve, reject) => {
        socket.on('message', function hear(data: Buffer) {
          const message = JSON.parse(data.toString('utf8'))
          if (message.id !== id) return
          socket.off('message', hear)
          if ('error' in message) reject(new Error(message.error.message))
          else resolve(message.result)
        })
      })
    },
    [Symbol.dispose]: () => socket.terminate(),
  }
}
