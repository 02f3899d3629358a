import type { Duplex } from 'node:stream'

import type { UpgradeDenial } from './check-upgrade.ts'

/** Answers an upgrade request over its bare connection, and ends it. */
export function denyUpgrade(socket: Duplex, { status, headers, body }: UpgradeDenial): void {
  if (!socket.writable) return void socket.destroy()
  const fields = {
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  socket.once('finish', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${phrases[status] ?? 'Refused'}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  )
}

const phrases: { readonly [status: number]: string } = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  426: 'Upgrade Required',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
