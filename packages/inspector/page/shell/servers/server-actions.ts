import { problemOf, showProblem } from '@parley/page/parts'

import type { ServerView } from '../../../src/protocol/index.ts'
import { openChannel } from '../../channel.ts'
import { useStore } from '../../store.ts'
import { closeDialog, openDialog, showServer, useView } from '../../view.ts'

/** Connects, after the user has seen the command line where that is needed. */
export function connect({ name, state }: ServerView): void {
  if (state === 'blocked') {
    openDialog({ kind: 'confirm', server: name })
    return
  }
  openChannel()
    .ask('servers/connect', { name })
    .catch((error: unknown) => {
      // The rail and the page of the server ask for a sign-in already.
      if (problemOf(error).code !== 'unauthorized') showProblem(error, `${name} did not connect`)
    })
}

/** Shows a server that was just added, and goes on: a command is reviewed, an address is connected to. */
export function takeAdded(server: ServerView): void {
  // The event that brings it may come later than this answer.
  if (!useStore.getState().servers.some(({ name }) => name === server.name)) {
    useStore.setState({ servers: [...useStore.getState().servers, server] })
  }
  showServer(server.name, 'tools')
  if (server.state === 'blocked') openDialog({ kind: 'confirm', server: server.name })
  else {
    closeDialog()
    // A failure is in the server's view, where the user looks next.
    openChannel()
      .ask('servers/connect', { name: server.name })
      .catch(() => {})
  }
}

/** Begins to sign in, and shows how that goes. */
export function signIn(name: string): void {
  showServer(name, 'auth')
  openChannel()
    .ask('auth/sign-in', { server: name })
    .catch((error: unknown) => showProblem(error, `Sign-in to ${name} failed`))
}

/** Closes the connection; the server stays in the rail. */
export async function disconnect(name: string): Promise<void> {
  await openChannel()
    .ask('servers/disconnect', { name })
    .catch((error: unknown) => showProblem(error, `${name} did not disconnect`))
}

/** Closes the connection and opens a new one. */
export async function restart(name: string): Promise<void> {
  await openChannel()
    .ask('servers/restart', { name })
    .catch((error: unknown) => showProblem(error, `${name} did not restart`))
}

/** Adds a copy under a free name, and opens it to be changed. */
export async function clone(name: string): Promise<void> {
  const usedNames = new Set(useStore.getState().servers.map((server) => server.name))
  let number = 2
  while (usedNames.has(`${name}-${number}`)) number += 1
  try {
    const copy = await openChannel().ask('servers/clone', { name, as: `${name}-${number}` })
    // The event that brings it may come later than this answer.
    useStore.setState(({ servers }) => ({
      servers: [...servers.filter((server) => server.name !== copy.name), copy],
    }))
    showServer(copy.name, 'tools')
    openDialog({ kind: 'edit', server: copy.name })
  } catch (error) {
    showProblem(error, `${name} was not copied`)
  }
}

/** Takes a server out of the rail. */
export async function remove(name: string): Promise<void> {
  try {
    await openChannel().ask('servers/remove', { name })
    if (useView.getState().server === name) useView.setState({ server: undefined })
  } catch (error) {
    showProblem(error, `${name} was not removed`)
  }
}
