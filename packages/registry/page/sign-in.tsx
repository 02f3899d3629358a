import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { announce, createLoadable, Loaded, useIsNarrow } from '@parley/page/parts'
import type { ReactElement } from 'react'

import { leave, openSignIn, useSession, useSignIn } from './session.ts'

const signInDialog = createLoadable(async () => (await import('./sign-in-dialog.tsx')).SignInDialog)

/** Signing in with a token, and out again. */
export function SignIn(): ReactElement {
  const isSignedIn = useSession(({ token }) => token !== undefined)
  const isOpen = useSignIn((state) => state.isOpen)
  const out = () => {
    leave()
    announce('You are signed out.')
  }
  const isNarrow = useIsNarrow()
  const label = isSignedIn ? 'Sign out' : 'Sign in'
  const act = isSignedIn ? out : openSignIn
  return (
    <>
      {isNarrow ? (
        <Tooltip label={label}>
          <ActionIcon aria-label={label} onClick={act}>
            <Icon name="key" size={17} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<Icon name="key" size={14} />}
          onClick={act}
        >
          {label}
        </Button>
      )}
      {isOpen && (
        <Loaded part={signInDialog} name="The dialog" isQuiet>
          {(SignInDialog) => <SignInDialog onClose={() => useSignIn.setState({ isOpen: false })} />}
        </Loaded>
      )}
    </>
  )
}
