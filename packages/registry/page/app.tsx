import { Button } from '@mantine/core'
import { Boundary, createLoadable, Loaded } from '@parley/page/parts'
import { PageShell, usePageKeys } from '@parley/page/shell'
import { groupKeys, listKeys, pageKeys, type KeyTable } from '@parley/page/shell/key-table'
import { useState, type ReactElement } from 'react'

import { AddressLink } from './address-link.tsx'
import { go, useAddress } from './address.ts'
import { focusSearch } from './search/search-field.tsx'
import { SearchView } from './search/search-view.tsx'
import { openSignIn, useSession } from './session.ts'
import { SignIn } from './sign-in.tsx'

const { palette, settings, keys, nextPane, previousPane, search } = pageKeys
const { down, up, first, last, open } = listKeys
const table: KeyTable = {
  palette,
  settings,
  keys,
  search,
  nextPane,
  previousPane,
  down,
  up,
  first,
  last,
  open,
}
const groups = groupKeys(table)

const entryView = createLoadable(async () => (await import('./entry/entry-view.tsx')).EntryView)
const publishDialog = createLoadable(
  async () => (await import('./publish-dialog.tsx')).PublishDialog,
)
const moderationView = createLoadable(
  async () => (await import('./moderation/moderation-view.tsx')).ModerationView,
)

/** The whole page: a search, or one server. */
export function App(): ReactElement {
  const server = useAddress((address) => address.server)
  const view = useAddress((address) => address.view)
  const isModerator = useSession(({ moderates }) => moderates.length > 0)
  usePageKeys({ table, letters: { search: focusSearch } })
  const [isPublishing, setIsPublishing] = useState(false)
  const isSignedIn = useSession(({ token }) => token !== undefined)
  const isHome = server === undefined && view !== 'moderation'
  return (
    <PageShell
      isDocument
      onHome={goHome}
      search={isHome ? <span /> : undefined}
      actions={
        <>
          {isModerator && (
            <AddressLink
              className="header-link"
              to={{ view: 'moderation', server: undefined }}
              isCurrent={view === 'moderation'}
            >
              Moderation
            </AddressLink>
          )}
          <Button
            className="wide-only"
            variant="default"
            size="compact-sm"
            onClick={() => setIsPublishing(true)}
          >
            Publish a server
          </Button>
        </>
      }
      account={<SignIn />}
      commands={[
        {
          title: 'Registry',
          items: [
            { id: 'home', label: 'All servers', icon: 'package', run: goHome },
            {
              id: 'publish',
              label: 'Publish a server',
              icon: 'plus',
              run: () => setIsPublishing(true),
            },
            ...(isSignedIn
              ? []
              : [{ id: 'sign-in', label: 'Sign in', icon: 'key' as const, run: openSignIn }]),
            ...(isModerator
              ? [
                  {
                    id: 'moderation',
                    label: 'Moderation',
                    icon: 'shield' as const,
                    run: () => go({ view: 'moderation', server: undefined }),
                  },
                ]
              : []),
          ],
        },
      ]}
      keys={groups}
    >
      {isPublishing && (
        <Loaded part={publishDialog} name="The steps" isQuiet>
          {(PublishDialog) => <PublishDialog onClose={() => setIsPublishing(false)} />}
        </Loaded>
      )}
      <main id="workspace" className="registry-main" data-pane tabIndex={-1}>
        <Boundary key={`${view} ${server}`} name="The page">
          {server !== undefined ? (
            <Loaded part={entryView} name="The entry">
              {(EntryView) => <EntryView name={server} />}
            </Loaded>
          ) : view === 'moderation' ? (
            <Loaded part={moderationView} name="The moderation">
              {(ModerationView) => <ModerationView />}
            </Loaded>
          ) : (
            <SearchView />
          )}
        </Boundary>
      </main>
    </PageShell>
  )
}

function goHome() {
  go({ text: '', facets: {}, sort: undefined, view: undefined, server: undefined })
  focusSearch()
}
