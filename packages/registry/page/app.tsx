import { Boundary, createLoadable, Loaded } from '@parley/page/parts'
import { PageShell, usePageKeys } from '@parley/page/shell'
import { groupKeys, listKeys, pageKeys, type KeyTable } from '@parley/page/shell/key-table'
import type { ReactElement } from 'react'

import { AddressLink } from './address-link.tsx'
import { go, useAddress } from './address.ts'
import { focusSearch } from './search/search-field.tsx'
import { SearchView } from './search/search-view.tsx'
import { useSession } from './session.ts'
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
const moderationView = createLoadable(
  async () => (await import('./moderation/moderation-view.tsx')).ModerationView,
)

/** The whole page: a search, or one server. */
export function App(): ReactElement {
  const server = useAddress((address) => address.server)
  const view = useAddress((address) => address.view)
  const isModerator = useSession(({ moderates }) => moderates.length > 0)
  usePageKeys({ table, letters: { search: focusSearch } })
  const isHome = server === undefined && view !== 'moderation'
  return (
    <PageShell
      isDocument
      onHome={goHome}
      search={isHome ? <span /> : undefined}
      actions={
        isModerator && (
          <AddressLink
            className="header-link"
            to={{ view: 'moderation', server: undefined }}
            isCurrent={view === 'moderation'}
          >
            Moderation
          </AddressLink>
        )
      }
      account={<SignIn />}
      commands={[
        {
          title: 'Registry',
          items: [
            { id: 'home', label: 'All servers', icon: 'package', run: goHome },
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
  go({ text: '', facets: {}, view: undefined, server: undefined })
  focusSearch()
}
