import { Button } from '@mantine/core'
import type { ServerAccount } from '@parley/host'
import { announce, formatMoment, Note, showProblem } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import { channel } from '../channel.ts'
import { useStore } from '../store.ts'
import { visible } from '../visible.ts'

/** The servers that somebody is signed in to, what was granted for each, and a way to end it. */
export function Accounts(): ReactElement | null {
  // Signing in or out changes the state of a server.
  const states = useStore((store) => store.servers.map(({ state }) => state).join())
  const [accounts, setAccounts] = useState<readonly ServerAccount[]>([])
  const [remarks, setRemarks] = useState<readonly string[]>([])
  const load = () => channel.ask('accounts/list', {}).then(setAccounts, () => undefined) // shown by the page
  useEffect(() => void load(), [states])

  async function signOut(name: string) {
    try {
      const { remarks: signOutRemarks } = await channel.ask('servers/sign-out', { name })
      setRemarks(signOutRemarks)
      announce(`Signed out of ${name}.`)
      await load()
    } catch (error) {
      showProblem(error, `Not signed out of ${name}`)
    }
  }

  if (accounts.length === 0 && remarks.length === 0) return null
  return (
    <section aria-label="Accounts">
      <h2 className="right-title">Accounts</h2>
      {remarks.map((remark) => (
        <Note key={remark} tone="warning">
          <span className="wrap">{visible(remark)}</span>
        </Note>
      ))}
      <ul className="left-list">
        {accounts.map(({ server, grants }) => (
          <li key={server} className="permission">
            <div className="grow wrap">
              <strong>{visible(server)}</strong>
              {grants.map(({ issuer, scopes, expiresAt, canRefresh }) => (
                <div key={issuer} className="quiet">
                  by {visible(issuer)}: {visible(scopes.join(', ')) || 'no scopes'}
                  {expiresAt !== undefined && `, until ${formatMoment(expiresAt)}`}
                  {canRefresh && ', then renewed'}
                </div>
              ))}
            </div>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={`Sign out of ${visible(server)}`}
              onClick={() => void signOut(server)}
            >
              Sign out
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
