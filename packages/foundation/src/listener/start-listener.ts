import { unlink } from 'node:fs/promises'
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import type { Duplex } from 'node:stream'

import { writePrivateFile } from '../files/private-file.ts'
import { createAccess } from './access.ts'
import { readBinding, type Binding } from './addresses.ts'
import { createGuard } from './guard.ts'
import { createAllowance, defaultLimits, type ListenerLimits } from './limits.ts'
import { createNames } from './names.ts'
import type { Listener, ListenerOptions, Upgrade } from './options.ts'
import { reject, type Rejection } from './refusal.ts'
import { readPath, sendRejection, serveRequest, type ServeContext } from './serve-request.ts'
import { createStaticFiles } from './static-files.ts'

/** Opens a port for one user of this machine. Everything but static files is behind secrets of this process. */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { app, tls, allowedHosts = [] } = options
  const binding = requireBinding(options)
  const basePath = readBasePath(options.basePath ?? '/')
  const limits = { ...defaultLimits, ...options.limits }
  const server = createServer(tls, limits)
  const port = await listen(server, binding.address, options)
  const tokenFile =
    typeof options.tokenFile === 'function' ? options.tokenFile(port) : options.tokenFile
  const isSecure = tls !== undefined
  const isEverywhere = binding.reach === 'everywhere'

  const access = createAccess({
    cookieName: `parley-${app.name}-${port}`, // cookies are shared between ports
    cookiePath: basePath,
    isSecure,
    ticketMs: limits.ticketMs,
  })
  const guard = createGuard({
    access,
    names: createNames({
      port,
      address: isEverywhere ? undefined : binding.address,
      allowedHosts,
      isSecure,
    }),
    all: createAllowance(limits.burst, limits.perSecond),
    refused: createAllowance(limits.rejectedBurst, limits.rejectedPerSecond),
  })
  const shown = binding.address.includes(':') ? `[${binding.address}]` : binding.address
  const own = isEverywhere ? '127.0.0.1' : shown
  const url = new URL(`${isSecure ? 'https' : 'http'}://${own}:${port}${basePath}`)

  function createEntryUrl(): URL {
    const entry = new URL(url)
    entry.hash = `secret=${access.createEntry()}`
    return entry
  }

  const parts: ServeContext = {
    app,
    guard,
    access,
    files: app.folder === undefined ? undefined : createStaticFiles(app.folder),
    basePath,
    isSecure,
    bodyBytes: limits.bodyBytes,
    createEntryUrl,
  }
  server.on('request', (request, response) => {
    serveRequest(request, response, parts).catch(() => {
      // Internal errors are not described to the caller.
      if (response.headersSent) response.destroy()
      else sendRejection(response, reject(500, 'failed', 'internal error'))
    })
  })
  const sockets = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const found = findUpgrade(request, parts)
    if (typeof found !== 'function') return rejectSocket(socket, found)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    found(request, socket, head)
  })

  async function close(): Promise<void> {
    if (tokenFile !== undefined) await unlink(tokenFile).catch(() => undefined) // gone already
    for (const socket of sockets) socket.destroy()
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  if (tokenFile !== undefined) {
    const about = { url: url.href, token: access.token, pid: process.pid }
    try {
      await writePrivateFile(tokenFile, `${JSON.stringify(about)}\n`)
    } catch (error) {
      await close()
      throw error
    }
  }
  return {
    port,
    url,
    token: access.token,
    tokenFile,
    createEntryUrl,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function createServer(tls: ListenerOptions['tls'], limits: ListenerLimits): Server {
  const settings = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs, limits.requestMs),
    requireHostHeader: true,
  }
  const server = tls ? createHttpsServer({ ...settings, ...tls }) : createHttpServer(settings)
  server.maxConnections = limits.sockets
  server.setTimeout(Math.max(limits.requestMs, limits.idleMs) * 2, (socket) => socket.destroy())
  return server
}

/** Others are let near only by two words: an address, and that it is meant so. */
function requireBinding({ host = '127.0.0.1', allowRemote = false }: ListenerOptions): Binding {
  const binding = readBinding(host)
  if (binding.reach === 'loopback' || allowRemote) return binding
  throw new TypeError(
    `${JSON.stringify(host)} can be reached from other machines: add --allow-remote to listen there`,
  )
}

function readBasePath(text: string): string {
  const path = `/${text.replace(/^\/+|\/+$/g, '')}/`.replace('//', '/')
  if (/^\/(?:[\w-]+\/)*$/.test(path)) return path
  throw new TypeError(
    `${JSON.stringify(text)} is not a valid base path: use letters, digits, - and /`,
  )
}

async function listen(
  server: Server,
  address: string,
  { port = 0, portTries = 0 }: ListenerOptions,
): Promise<number> {
  for (let next = port; ; next += 1) {
    try {
      await new Promise<void>((resolve, fail) => {
        server.once('error', fail)
        server.listen({ port: next, host: address, ipv6Only: false }, () => {
          server.off('error', fail)
          resolve()
        })
      })
      return (server.address() as AddressInfo).port // it listens on a port, not on a pipe
    } catch (error) {
      const isUsed = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!isUsed || next >= port + portTries) throw error
    }
  }
}

function findUpgrade(
  request: IncomingMessage,
  { app, guard, basePath }: ServeContext,
): Upgrade | Rejection {
  const rejection = guard.checkCaller(request)
  if (rejection !== undefined) return rejection
  const { path } = readPath(request, basePath) ?? { path: '' }
  const { sockets = {} } = app
  const upgrade = Object.hasOwn(sockets, path) ? sockets[path] : undefined
  if (upgrade === undefined) return reject(404, 'not_found', 'not found')
  return guard.checkSocket(request) ?? upgrade
}

function rejectSocket(socket: Duplex, { status, code, message }: Rejection): void {
  const text = JSON.stringify({ error: { code, message } })
  socket.end(
    [
      `HTTP/1.1 ${status} Refused`,
      'connection: close',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n'),
  )
}
