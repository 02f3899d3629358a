/** How the page gets in: the link's secret becomes a cookie once, and the cookie a ticket for each WebSocket. */

/** This browser may not use the service. */
export class NotAllowedError extends Error {
  constructor() {
    super('This browser may not use the service')
    this.name = 'NotAllowedError'
  }
}

/** Told apart from a link that selects something, which begins with `#/`. */
const secretPattern = /^#secret=([\w-]+)$/

/** Kept until the service has answered: it may be slow to start. */
let secret: string | undefined

/** Exchanges the secret in the address for a cookie, and takes it out of the address and the history. */
export async function enterWithSecret(): Promise<void> {
  const input = secretPattern.exec(location.hash)?.[1]
  if (input !== undefined) {
    secret = input
    history.replaceState(null, '', location.pathname)
  }
  if (secret === undefined) return
  const response = await post('api/enter', { secret })
  secret = undefined
  if (response.status === 401 || response.status === 403) throw new NotAllowedError()
  const { key } = (await response.json()) as { key: string } // what this path answers
  localStorage.setItem(keyName, key)
}

/** The cookie goes to every port of this machine, so it is good only together with a key that stays with this origin. */
const keyName = 'parley-key'

/** Where to open the WebSocket, and by which subprotocols; good for once. */
export async function askForTicket(protocol: string): Promise<{ url: URL; protocols: string[] }> {
  const response = await post('api/ticket', {})
  if (response.status === 401 || response.status === 403) throw new NotAllowedError()
  if (!response.ok) throw new Error(`no ticket: ${response.status}`)
  const { ticket } = (await response.json()) as { ticket: string } // what this path answers
  const url = new URL('api/channel', document.baseURI)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return { url, protocols: [protocol, `ticket.${ticket}`] }
}

function post(path: string, body: { [name: string]: string }): Promise<Response> {
  return fetch(new URL(path, document.baseURI), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-parley': localStorage.getItem(keyName) ?? '1',
    },
    body: JSON.stringify(body),
    credentials: 'same-origin',
  })
}
