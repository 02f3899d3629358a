import { ActionIcon, Button, FileButton, Menu, TextInput, Tooltip } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { useEffect, useState, type ReactElement } from 'react'

import type { Collection } from '../../src/protocol/index.ts'
import { useStore } from '../store.ts'
import { useView } from '../view.ts'
import {
  exportCollection,
  newRequest,
  removeCollection,
  importCollection,
  runCollection,
  saveCollection,
  useCollectionRuns,
} from './collections-actions.ts'
import { RequestFields } from './request-fields.tsx'
import { RunHistory } from './run-history.tsx'
import { VariableFields } from './variable-fields.tsx'

/** One collection: its variables and requests, and how it went. */
export function CollectionView({ collection }: { readonly collection: Collection }): ReactElement {
  const [draft, setDraft] = useState(collection)
  const [open, setOpen] = useState<string | undefined>(collection.requests[0]?.id)
  const running = useCollectionRuns((state) => state.running)
  const mayChange = useStore((store) => store.may.change)
  const server = useView((view) => view.server) ?? ''
  useEffect(() => setDraft(collection), [collection])
  const isChanged = JSON.stringify(draft) !== JSON.stringify(collection)
  const { requests } = draft

  const run = async () => {
    if (!isChanged || (await saveCollection(draft))) await runCollection(draft.name)
  }
  return (
    <>
      <div className="column-head">
        <h2 className="cut collection-name">{collection.name}</h2>
        <span className="grow" />
        <Button
          variant="default"
          size="compact-sm"
          disabled={!isChanged}
          onClick={() => void saveCollection(draft)}
        >
          Save
        </Button>
        <Button
          size="compact-sm"
          data-run
          loading={running === draft.name}
          disabled={!mayChange || requests.length === 0}
          leftSection={<Icon name="play" size={12} />}
          onClick={() => void run()}
        >
          Run all
        </Button>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={`More about ${collection.name}`}>
              <Icon name="dots" size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              leftSection={<Icon name="download" size={14} />}
              onClick={() => void exportCollection(collection.name)}
            >
              Export as a file
            </Menu.Item>
            <Menu.Item
              color="red"
              leftSection={<Icon name="trash" size={14} />}
              onClick={() => void removeCollection(collection.name)}
            >
              Remove, with its history
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      <div className="column-scroll">
        <RunHistory collection={draft} />
        <VariableFields
          variables={draft.variables}
          onChange={(variables) => setDraft({ ...draft, variables })}
        />
        <section className="stack" aria-label="Requests">
          {requests.map((request, index) => (
            <div key={request.id} className="card">
              <div className="card-head">
                <button
                  type="button"
                  className="card-turn grow cut"
                  aria-expanded={open === request.id}
                  onClick={() => setOpen(open === request.id ? undefined : request.id)}
                >
                  <Icon name={open === request.id ? 'chevronDown' : 'chevronRight'} size={13} />{' '}
                  {request.title}{' '}
                  <span className="quiet">
                    {request.server} · {request.method}
                  </span>
                </button>
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-xs"
                  aria-label={`Remove ${request.title}`}
                  onClick={() => setDraft({ ...draft, requests: requests.toSpliced(index, 1) })}
                >
                  <Icon name="trash" size={13} />
                </Button>
              </div>
              {open === request.id && (
                <div className="card-body">
                  <RequestFields
                    request={request}
                    onChange={(next) =>
                      setDraft({ ...draft, requests: requests.with(index, next) })
                    }
                  />
                </div>
              )}
            </div>
          ))}
          <div>
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<Icon name="plus" size={12} />}
              onClick={() => {
                const request = newRequest(server)
                setDraft({ ...draft, requests: [...requests, request] })
                setOpen(request.id)
              }}
            >
              Add a request
            </Button>
          </div>
        </section>
      </div>
    </>
  )
}

/** Asks for the name of a new collection. */
export function NewCollection({
  onMade,
}: {
  readonly onMade: (name: string) => void
}): ReactElement {
  const [name, setName] = useState('')
  const isUsed = useStore((store) =>
    store.collections.some((collection) => collection.name === name),
  )
  const make = async () => {
    if (name === '' || isUsed) return
    const isMade = await saveCollection({ name, variables: {}, requests: [] })
    if (isMade) onMade(name)
    setName('')
  }
  return (
    <div className="row">
      <TextInput
        className="grow"
        aria-label="Name of a new collection"
        placeholder="New collection"
        value={name}
        error={isUsed}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && void make()}
      />
      <ActionIcon
        size="input-sm"
        variant="default"
        aria-label="Add the collection"
        disabled={name === '' || isUsed}
        onClick={() => void make()}
      >
        <Icon name="plus" size={15} />
      </ActionIcon>
      <FileButton
        accept="application/json,.json"
        onChange={(file) => {
          if (file) void importCollection(file).then((made) => made && onMade(made))
        }}
      >
        {(props) => (
          <Tooltip label="Import a collection from a file">
            <ActionIcon
              size="input-sm"
              variant="default"
              aria-label="Import a collection"
              {...props}
            >
              <Icon name="folder" size={15} />
            </ActionIcon>
          </Tooltip>
        )}
      </FileButton>
    </div>
  )
}
