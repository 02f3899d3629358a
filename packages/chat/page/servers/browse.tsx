import { Button, Modal } from '@mantine/core'
import { BrowseRegistry, type BrowseSource } from '@parley/page/browse'
import { Icon } from '@parley/page/icons'
import { announce } from '@parley/page/parts'
import { useMemo, useState, type ReactElement } from 'react'

import { channel } from '../channel.ts'
import { useStore } from '../store.ts'

const labels = { command: 'Run and use this server', url: 'Connect and use this server' }

/** A button that opens a registry to find servers in; nothing where there is none. */
export function Browse(): ReactElement | null {
  const canBrowse = useStore((store) => store.canBrowse)
  const [isOpen, setIsOpen] = useState(false)
  if (!canBrowse) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="search" size={14} />}
        onClick={() => setIsOpen(true)}
      >
        Browse the registry
      </Button>
      {isOpen && <BrowseDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

function BrowseDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const servers = useStore((store) => store.servers)
  const source = useMemo(
    (): BrowseSource => ({
      search: (params) => channel.ask('catalogue/search', params),
      read: (params) => channel.ask('catalogue/read', params),
      review: (choice) => channel.ask('catalogue/review', choice),
      async add({ shown = '', ...choice }) {
        await channel.ask('catalogue/add', { ...choice, shown })
        announce(`${choice.as} was added.`)
        onClose()
      },
    }),
    [onClose],
  )
  return (
    <Modal opened onClose={onClose} title="Find a server in a registry" size="lg">
      <BrowseRegistry
        source={source}
        taken={new Set(servers.map(({ name }) => name))}
        labels={labels}
      />
    </Modal>
  )
}
