import { lookup } from 'node:dns/promises'
import { connect, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'

import type { Examining } from './examining.ts'
import { bad, good, type Step } from './step.ts'

/** The name, the port, and the certificate. */
export async function examineReach(url: URL, { options = {} }: Examining = {}): Promise<Step> {
  const title = `reaching ${url.host}`
  const host = url.hostname.replace(/^\[|\]$/g, '')
  let address: string
  try {
    address = (await lookup(host)).address
  } catch {
    return bad(
      title,
      `the host name ${host} cannot be resolved`,
      'Check the spelling, and whether a VPN is needed.',
    )
  }
  const isTls = url.protocol === 'https:'
  const port = Number(url.port || (isTls ? 443 : 80))
  return new Promise((resolve) => {
    const socket = isTls
      ? connectTls({
          host,
          port,
          ALPNProtocols: ['http/1.1'],
          ...(isIP(host) === 0 && { servername: host }),
        })
      : connect({ host: address, port })
    const finish = (step: Step): void => {
      socket.destroy()
      resolve(step)
    }
    socket.setTimeout(options.timeoutMs ?? 10_000, () =>
      finish(
        bad(
          title,
          `${address}:${port} does not answer`,
          'Check for a firewall or proxy in between.',
        ),
      ),
    )
    socket.once('error', (error: NodeJS.ErrnoException) =>
      finish(bad(title, reasonOf(error, port), fixOf(error))),
    )
    socket.once(isTls ? 'secureConnect' : 'connect', () =>
      finish(good(title, `${address}:${port}${isTls ? ', certificate valid' : ''}`)),
    )
  })
}

function reasonOf({ code, message }: NodeJS.ErrnoException, port: number): string {
  if (code === 'ECONNREFUSED') return `nothing listens on port ${port}`
  return /certificate|self-signed|CERT/i.test(`${code} ${message}`)
    ? `its certificate is not accepted: ${message}`
    : message
}

function fixOf({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'Start the server, or correct the port.'
  if (/certificate|self-signed|CERT/i.test(`${code} ${message}`)) {
    return 'Install a certificate that is signed, or name its authority in NODE_EXTRA_CA_CERTS.'
  }
  return 'Check the address.'
}
