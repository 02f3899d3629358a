import { ActionIcon, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { Boundary } from '@parley/page/parts'
import { ColourMenu, keepFocus, KeyList, returnFocus, usePageKeys } from '@parley/page/shell'
import { groupKeys, listKeys, pageKeys, type KeyTable } from '@parley/page/shell/key-table'
import { useState, type ReactElement } from 'react'

import { AddressLink } from './address-link.tsx'
import { go, useAddress } from './address.ts'
import { EntryView } from './entry/entry-view.tsx'
import { ModerationView } from './moderation/moderation-view.tsx'
import { focusSearch, SearchField } from './search/search-field.tsx'
import { SearchView } from './search/search-view.tsx'
import { useSession } from './session.ts'
import { SignIn } from './sign-in.tsx'

const { keys, nextPane, previousPane, search } = pageKeys
const { down, up, first, last, open } = listKeys
const table: KeyTable = { keys, search, nextPane, previousPane, down, up, first, last, open }
const groups = groupKeys(table)

/** The whole page: a search, or one server. */
export function App(): ReactElement {
  const server = useAddress((address) => address.server)
  const view = useAddress((address) => address.view)
  const isModerator = useSession(({ moderates }) => moderates.length > 0)
  const [isListingKeys, setIsListingKeys] = useState(false)
  const listKeysNow = () => {
    keepFocus()
    setIsListingKeys(true)
  }
  usePageKeys({ table, letters: { keys: listKeysNow, search: focusSearch } })
  return (
    <div className="shell">
      <a className="skip" href="#workspace" onClick={skipToWorkspace}>
        Skip to the content
      </a>
      <header className="header">
        <a className="home" href="./" onClick={goHome}>
          <img className="logo" src="./icon.svg" alt="" width={22} height={22} />
          <h1 className="brand">
            Parley <span>Registry</span>
          </h1>
        </a>
        <SearchField />
        {isModerator && (
          <AddressLink
            className="header-link"
            to={{ view: 'moderation', server: undefined }}
            isCurrent={view === 'moderation'}
          >
            Moderation
          </AddressLink>
        )}
        <SignIn />
        <ColourMenu />
        <Tooltip label="Keys (?)">
          <ActionIcon aria-label="Keys" onClick={listKeysNow}>
            <Icon name="keyboard" size={17} />
          </ActionIcon>
        </Tooltip>
      </header>
      <main id="workspace" className="registry-main" data-pane tabIndex={-1}>
        <Boundary key={`${view} ${server}`} name="The page">
          {server !== undefined ? (
            <EntryView name={server} />
          ) : view === 'moderation' ? (
            <ModerationView />
          ) : (
            <SearchView />
          )}
        </Boundary>
      </main>
      {isListingKeys && (
        <KeyList
          groups={groups}
          onClose={() => {
            setIsListingKeys(false)
            returnFocus()
          }}
        />
      )}
    </div>
  )
}

function goHome(event: { preventDefault: () => void }) {
  event.preventDefault()
  go({ text: '', facets: {}, view: undefined, server: undefined })
  focusSearch()
}

/** The address says what is shown, so the link must not change it. */
function skipToWorkspace(event: { preventDefault: () => void }) {
  event.preventDefault()
  document.querySelector<HTMLElement>('#workspace')?.focus()
}
