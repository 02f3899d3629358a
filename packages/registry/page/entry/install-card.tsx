import { Button, Popover, SegmentedControl, Select } from '@mantine/core'
import { Icon } from '@parley/page/icons'
import { ProblemNote, showHidden, Tag } from '@parley/page/parts'
import { keepText, readText } from '@parley/page/shell'
import { useState, type ReactElement } from 'react'

import { go, useAddress } from '../address.ts'
import { useAsked } from '../ask.ts'
import type { Entry } from '../read-entry.ts'
import { Snippet } from '../snippet.tsx'
import { Card } from './card.tsx'
import { readInstall, type InstallOption, type InstallQuestion } from './read-install.ts'

/** The products that `parley add` writes files for. */
const clients = [
  { value: 'claude', label: 'Claude Code' },
  { value: 'vscode', label: 'VS Code' },
  { value: 'cursor', label: 'Cursor' },
  { value: 'codex', label: 'Codex' },
  { value: 'gemini', label: 'Gemini CLI' },
  { value: 'parley', label: 'Parley' },
  { value: 'claude-desktop', label: 'Claude Desktop' },
  { value: 'cline', label: 'Cline' },
  { value: 'continue', label: 'Continue' },
  { value: 'copilot-cli', label: 'Copilot CLI' },
  { value: 'goose', label: 'goose' },
  { value: 'jetbrains', label: 'JetBrains Junie' },
  { value: 'lm-studio', label: 'LM Studio' },
  { value: 'opencode', label: 'opencode' },
  { value: 'windsurf', label: 'Windsurf' },
  { value: 'zed', label: 'Zed' },
] as const

/** The products that most readers use; the others are in a list. */
const tabs: readonly string[] = ['claude', 'vscode', 'cursor', 'codex', 'gemini', 'parley']

/** Where the page remembers which product was shown last. */
const clientName = 'install-client'

function pickClient(client: string): void {
  keepText(clientName, client)
  go({ client }, 'replace')
}

/** How to use a version: one command or one link for a product, then what it asks for and what it writes into the product's file. */
export function InstallCard({ entry }: { readonly entry: Entry }): ReactElement {
  const picked = useAddress((address) => address.client) ?? readText(clientName)
  const client = clients.find(({ value }) => value === picked) ?? clients[0]
  const query = new URLSearchParams({
    name: entry.name,
    version: entry.version,
    client: client.value,
  })
  const { value: install, problem, retry } = useAsked(`x/config?${query.toString()}`, readInstall)
  const [use, setUse] = useState<string>()
  const options = install?.options ?? []
  const option = options.find(({ title }) => title === use) ?? options[0]
  return (
    <Card
      title="Install"
      action={
        <Select
          size="xs"
          placeholder="More products"
          aria-label="For which product"
          value={tabs.includes(client.value) ? null : client.value}
          data={clients.filter(({ value }) => !tabs.includes(value))}
          onChange={(value) => value !== null && pickClient(value)}
        />
      }
    >
      <SegmentedControl
        aria-label="Product"
        className="self-start"
        value={client.value}
        onChange={pickClient}
        data={clients.filter(({ value }) => tabs.includes(value) || value === client.value)}
      />
      {problem !== undefined && (
        <ProblemNote problem={problem} title="The configuration cannot be shown" retry={retry} />
      )}
      {options.length > 1 && option !== undefined && (
        <SegmentedControl
          aria-label="Which package or remote"
          className="self-start"
          value={option.title}
          onChange={setUse}
          data={options.map(({ title }) => ({ value: title, label: placeOf(title, options) }))}
        />
      )}
      {install !== undefined && option === undefined && (
        <p className="quiet">
          Nothing of this version can be started or reached from a configuration file.
        </p>
      )}
      {option !== undefined && (
        <Option
          option={option}
          client={client}
          command={commandOf(entry, client.value, options.length > 1 ? option.title : undefined)}
        />
      )}
      {install?.refused.map(({ title, reasons }, index) => (
        <section
          // Two packages may have one title.
          key={index}
          className="install"
          aria-label={showHidden(title)}
        >
          <h3 className="wrap">{showHidden(title)}</h3>
          <p>Clients refuse it:</p>
          <ul>
            {reasons.map((reason) => (
              <li key={reason} className="wrap">
                {showHidden(reason)}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Card>
  )
}

/** One of each kind is named by where it runs; several of a kind by what they are. */
function placeOf(title: string, options: readonly InstallOption[]): string {
  const isAlike = (other: InstallOption) => isRemote(other.title) === isRemote(title)
  if (options.filter(isAlike).length > 1) return showHidden(title)
  return isRemote(title) ? 'Remote' : 'On your computer'
}

function isRemote(title: string): boolean {
  return /^https?:/i.test(title)
}

function Option(props: {
  readonly option: InstallOption
  readonly client: (typeof clients)[number]
  readonly command: string
}): ReactElement {
  const { title, origin, file, questions, notes, links } = props.option
  const { value: client, label } = props.client
  const own = links.find((link) => link.client === client)
  const inspect = links.find((link) => link.client === 'inspector')
  return (
    <section className="install" aria-label={showHidden(title)}>
      {own?.kind === 'link' && (
        <Button
          component="a"
          href={own.text}
          className="self-start"
          leftSection={<Icon name="download" size={14} />}
        >
          Install in {label}
        </Button>
      )}
      {own?.kind === 'command' && client !== 'parley' && (
        <Snippet text={own.text} label={`Copy the command of ${label}`} />
      )}
      {(own === undefined || client === 'parley') && (
        <Snippet text={props.command} label="Copy the command" />
      )}
      <p className="quiet wrap">Comes from {showHidden(origin)}.</p>
      {questions.length > 0 && (
        <>
          <h3 className="install-title">It asks for</h3>
          <dl className="asks">
            {questions.map((question) => (
              <InputRequestForm key={question.id} question={question} />
            ))}
          </dl>
        </>
      )}
      {notes.map((note) => (
        <p key={note} className="quiet wrap">
          {showHidden(note)}
        </p>
      ))}
      <details>
        <summary>Configuration as JSON, and the command of Parley that writes it</summary>
        <div className="stack">
          <Snippet text={file} label="Copy the entry" />
          {own !== undefined && client !== 'parley' && (
            <Snippet text={props.command} label="Copy the command" />
          )}
        </div>
      </details>
      {inspect !== undefined && (
        <Popover position="bottom-start" withinPortal width={420}>
          <Popover.Target>
            <Button
              variant="default"
              size="compact-sm"
              className="self-start"
              leftSection={<Icon name="play" size={14} />}
            >
              Open in Inspector
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <div className="stack-tight">
              <p>Looks inside it on your computer, and installs nothing:</p>
              <Snippet text={inspect.text} label="Copy the command of the Inspector" />
            </div>
          </Popover.Dropdown>
        </Popover>
      )}
    </section>
  )
}

function InputRequestForm({ question }: { readonly question: InstallQuestion }): ReactElement {
  const { id, description, isRequired, isSecret, preset, choices } = question
  const facts = [
    ...(isRequired ? ['Required.'] : []),
    ...(choices.length > 0 ? [`One of ${choices.map(showHidden).join(', ')}.`] : []),
    ...(preset !== undefined ? [`Default ${showHidden(preset)}.`] : []),
  ]
  return (
    <>
      <dt>
        <code className="mono wrap">{showHidden(id)}</code>
      </dt>
      <dd className="wrap">
        {description !== undefined && <span>{showHidden(description)} </span>}
        <span className="quiet">{facts.join(' ')}</span>{' '}
        {isSecret && (
          <Tag tone="warning" icon="key">
            secret
          </Tag>
        )}
      </dd>
    </>
  )
}

function commandOf({ name, version }: Entry, client: string, use: string | undefined): string {
  const words = ['parley', 'add', `${name}@${version}`]
  if (client !== 'parley') words.push('--client', client)
  if (use !== undefined) words.push('--use', use)
  return words.map(quote).join(' ')
}

/** One word for a shell of either kind, whatever is in it. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
