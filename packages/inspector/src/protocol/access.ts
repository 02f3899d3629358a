/**
 * How a page gets in. All paths are relative to the page (`<base href>`, `./api/…`).
 *
 * 1. The page is opened as `http://127.0.0.1:6274/#secret=…`. It takes the secret out of the address bar
 *    (`history.replaceState`) and exchanges it, once: `POST api/enter`, JSON `{ secret }`, header `x-parley: 1`.
 *    The answer sets an HttpOnly cookie and gives `{ key }`, to keep in `localStorage`.
 * 2. Everything else carries the cookie and `x-parley: <key>`. `GET api/session` says whether both still hold: 200, or
 *    401 when the service was started anew; then only a fresh link from the terminal helps.
 * 3. Before each WebSocket: `POST api/ticket`, JSON `{}`, gives `{ ticket }`: good once, for thirty seconds.
 *    `new WebSocket('…/api/channel', [channelProtocol, 'ticket.' + ticket])`.
 *
 * What is refused is answered by JSON `{ error: Problem }`.
 */
export interface Access {
  'POST api/enter': { body: { secret: string }; answer: { key: string } }
  'GET api/session': { answer: { ok: true } }
  'POST api/ticket': { body: Record<never, never>; answer: { ticket: string } }
}

/** The WebSocket subprotocol that carries `PageMessage` and `ChannelMessage` as JSON text. */
export type ChannelProtocol = 'parley.inspector.1'
