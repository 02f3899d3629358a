import { Button } from '@mantine/core'
import { Note, problemOf, showProblem } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { SignInPage } from '../../src/protocol/index.ts'
import { channel } from '../channel.ts'
import { visible } from '../visible.ts'

/** Signs in to a server: shows where, and opens it only when it is pressed. */
export function SignIn({ server }: { readonly server: string }): ReactElement {
  const [page, setPage] = useState<SignInPage>()
  const [isBusy, setIsBusy] = useState(false)
  useEffect(
    () =>
      channel.on('servers/signed-in', ({ name, error }) => {
        if (name !== server) return
        setPage(undefined)
        if (error !== undefined) showProblem(new Error(error), `Not signed in to ${server}`)
      }),
    [server],
  )

  async function begin() {
    setIsBusy(true)
    try {
      setPage(await channel.ask('servers/sign-in', { name: server }))
    } catch (error) {
      showProblem(problemOf(error), `Not signed in to ${server}`)
    }
    setIsBusy(false)
  }

  if (page === undefined) {
    return (
      <Button
        className="self-start"
        variant="light"
        size="compact-sm"
        loading={isBusy}
        onClick={() => void begin()}
      >
        Sign in
      </Button>
    )
  }
  return (
    <div className="stack-tight">
      <p className="wrap">
        Sign in at <strong>{visible(page.host)}</strong>, then come back here.
      </p>
      {page.warnings.map((warning) => (
        <Note key={warning} tone="warning">
          {visible(warning)}
        </Note>
      ))}
      <Button
        className="self-start"
        component="a"
        href={page.url}
        target="_blank"
        rel="noreferrer noopener"
        size="compact-sm"
      >
        Open {visible(page.host)}
      </Button>
    </div>
  )
}
