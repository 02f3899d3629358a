import { Button, PasswordInput, TextInput } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Empty, ProblemNote, problemOf, Tag, type Tone } from '@parley/page/parts'
import { useEffect, useState, type ReactElement } from 'react'

import type { AuthView, ServerView } from '../../src/protocol/index.ts'
import { openChannel } from '../channel.ts'
import { NeedsNote, SignedOutNote } from './account-notes.tsx'
import { AuthSequence } from './auth-sequence.tsx'
import { AuthTests } from './auth-tests.tsx'
import { SignInLink } from './sign-in-link.tsx'
import { StepUpTest } from './step-up.tsx'

import './auth.css'

const looks: Readonly<Record<AuthView['state'], { readonly word: string; readonly tone: Tone }>> = {
  none: { word: 'Not signed in', tone: 'plain' },
  'signing-in': { word: 'Signing in', tone: 'info' },
  'signed-in': { word: 'Signed in', tone: 'good' },
  refused: { word: 'Refused', tone: 'bad' },
}

/** Signing in at a server: every exchange as it happened, what the token claims, and tests of the server. */
export function AuthPanel({ server }: { readonly server: ServerView }): ReactElement {
  const { name, entry } = server
  const isUrl = 'url' in entry
  const [view, setView] = useState<AuthView>()
  const [error, setError] = useState<unknown>()
  const [clientId, setClientId] = useState('')
  const [clientSecret, setClientSecret] = useState('')
  const [scope, setScope] = useState('')

  useEffect(() => {
    if (!isUrl) return undefined
    const channel = openChannel()
    channel.ask('auth/get', { server: name }).then(setView, setError)
    return channel.on('auth/changed', (changed) => {
      if (changed.server === name) setView(changed)
    })
  }, [name, isUrl])

  if (!isUrl) {
    return (
      <Empty icon="key" title="No sign-in over stdio">
        A server that runs as a local program gets its credentials from its environment. Sign-in is
        for servers with a URL.
      </Empty>
    )
  }

  function run(asked: Promise<AuthView>) {
    setError(undefined)
    asked.then(setView, setError)
  }

  const look = looks[view?.state ?? 'none']
  return (
    <div className="panel-scroll">
      <div className="stack">
        <div className="card">
          <div className="card-head">
            <h2>Account</h2>
            <Tag tone={look.tone}>{look.word}</Tag>
            <span className="grow" />
            {view?.state === 'signed-in' && (
              <Button
                variant="default"
                size="compact-sm"
                title="Deletes the tokens, and revokes them if the issuer supports it"
                onClick={() => run(openChannel().ask('auth/sign-out', { server: name }))}
              >
                Sign out and revoke
              </Button>
            )}
          </div>
          <div className="card-body stack">
            {view?.openUrl !== undefined && <SignInLink url={view.openUrl} />}
            {error !== undefined && (
              <ProblemNote problem={problemOf(error)} title="Sign-in failed" />
            )}
            {view?.signedOut !== undefined && <SignedOutNote signedOut={view.signedOut} />}
            {view !== undefined && (
              <NeedsNote
                view={view}
                onAsk={(wanted) => {
                  setScope(wanted)
                  run(openChannel().ask('auth/sign-in', { server: name, scope: wanted }))
                }}
              />
            )}
            <AuthSummary view={view} />
            <form
              className="auth-form"
              onSubmit={(event) => {
                event.preventDefault()
                run(
                  openChannel().ask('auth/sign-in', {
                    server: name,
                    ...(clientId.trim() !== '' && { clientId: clientId.trim() }),
                    ...(clientSecret !== '' && { clientSecret }),
                    ...(scope.trim() !== '' && { scope: scope.trim() }),
                  }),
                )
              }}
            >
              <TextInput
                label="Client id"
                description="Empty: registers automatically"
                value={clientId}
                onChange={(event) => setClientId(event.currentTarget.value)}
              />
              {clientId.trim() !== '' && (
                <PasswordInput
                  label="Client secret"
                  description="If it has one; not kept"
                  value={clientSecret}
                  onChange={(event) => setClientSecret(event.currentTarget.value)}
                  autoComplete="off"
                  w={200}
                />
              )}
              <TextInput
                label="Scopes"
                description="Empty: what the server requests"
                value={scope}
                onChange={(event) => setScope(event.currentTarget.value)}
              />
              <Button
                type="submit"
                data-run
                loading={view?.state === 'signing-in'}
                leftSection={<Icon name="key" size={14} />}
              >
                {view?.state === 'signed-in' ? 'Sign in again' : 'Sign in'}
              </Button>
            </form>
          </div>
        </div>
        <AuthSequence steps={view?.steps ?? []} />
        <AuthTests server={name} />
        <StepUpTest server={server} view={view} />
      </div>
    </div>
  )
}

function AuthSummary({ view }: { readonly view: AuthView | undefined }) {
  if (view === undefined) return null
  const { issuer, scopes, expiresAt, claims } = view
  const facts: readonly (readonly [string, string])[] = [
    ...(issuer === undefined ? [] : [['Issuer', issuer] as const]),
    ...(scopes === undefined ? [] : [['Scopes', scopes.join(' ') || '(none)'] as const]),
    ...(expiresAt === undefined
      ? []
      : [
          [
            'Expires',
            new Date(expiresAt).toLocaleString(undefined, {
              dateStyle: 'medium',
              timeStyle: 'medium',
            }),
          ] as const,
        ]),
  ]
  const names = Object.entries(claims ?? {}).map(
    ([claim, value]) => [claim, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  )
  return (
    <>
      {facts.length > 0 && <FactTable facts={facts} />}
      {names.length > 0 && (
        <details className="claims">
          <summary>{names.length} claims of the token</summary>
          <FactTable facts={names} />
        </details>
      )}
    </>
  )
}

function FactTable({ facts }: { readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <table className="table">
      <caption className="visually-hidden">
        What is known of the token; the token itself is not shown
      </caption>
      <tbody>
        {facts.map(([fact, value]) => (
          <tr key={fact}>
            <th scope="row" className="fact-name">
              {fact}
            </th>
            <td className="mono wrap">{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
