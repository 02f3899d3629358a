import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { Icon } from '@parley/page/icons'
import type { ReactElement } from 'react'

import type { Collection, SavedRequest } from '../../src/protocol/index.ts'
import { saveCollection } from '../collections/collections-actions.ts'
import type { Run } from '../runs.ts'
import { useStore } from '../store.ts'

const firstName = 'Saved requests'

/** Keeps a request in a collection, to run it again with others. */
export function SaveRequest({ run }: { readonly run: Run }): ReactElement {
  const collections = useStore((store) => store.collections)
  const choices: readonly Collection[] =
    collections.length === 0 ? [{ name: firstName, variables: {}, requests: [] }] : collections

  function freeName(): string {
    const names = new Set(collections.map(({ name }) => name))
    let number = collections.length + 1
    while (names.has(`Collection ${number}`)) number += 1
    return `Collection ${number}`
  }

  async function save(collection: Collection) {
    const request: SavedRequest = {
      id: crypto.randomUUID(),
      title: run.subject,
      server: run.server,
      method: run.method,
      params: run.params,
      assertions: [{ kind: run.outcome?.error ? 'fails' : 'succeeds' }],
    }
    if (await saveCollection({ ...collection, requests: [...collection.requests, request] })) {
      notifications.show({ message: `${run.subject} is in ${collection.name} now.` })
    }
  }

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label="Keep in a collection">
          <ActionIcon aria-label="Keep in a collection">
            <Icon name="bookmark" size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Keep in</Menu.Label>
        {choices.map((collection) => (
          <Menu.Item key={collection.name} onClick={() => void save(collection)}>
            {collection.name}
          </Menu.Item>
        ))}
        {collections.length > 0 && (
          <Menu.Item
            leftSection={<Icon name="plus" size={13} />}
            onClick={() => void save({ name: freeName(), variables: {}, requests: [] })}
          >
            A new collection
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
