import type { Client } from '@parley/mcp/client'

/** Capabilities, tools, prompts, resources and templates; of a template what stands before its first variable. */
export type OfferedNames = ReadonlySet<string>

const taskTools = [
  'greet',
  'slow_compute',
  'failing_job',
  'protocol_error_job',
  'confirm_delete',
  'multi_input',
]
const inputRequired = 'test_input_required_result'

/** What scenarios, or single checks, need: something optional, or a name that only servers made for the suite have. */
const wantedNames: { readonly [scenario: string]: readonly string[] } = {
  'logging-set-level': ['capability logging'],
  'completion-complete': ['capability completions', 'test_prompt_with_arguments'],
  'tools-list': ['capability tools'],
  'resources-list': ['capability resources'],
  'sep-2164-resource-not-found': ['capability resources'],
  'prompts-list': ['capability prompts'],
  'tools-call-simple-text': ['test_simple_text'],
  'tools-call-image': ['test_image_content'],
  'tools-call-audio': ['test_audio_content'],
  'tools-call-embedded-resource': ['test_embedded_resource'],
  'tools-call-mixed-content': ['test_multiple_content_types'],
  'tools-call-with-logging': ['test_tool_with_logging'],
  'tools-call-error': ['test_error_handling'],
  'tools-call-with-progress': ['test_tool_with_progress'],
  'tools-call-sampling': ['test_sampling'],
  'tools-call-elicitation': ['test_elicitation'],
  'elicitation-sep1034-defaults': ['test_elicitation_sep1034_defaults'],
  'elicitation-sep1330-enums': ['test_elicitation_sep1330_enums'],
  'json-schema-2020-12': ['json_schema_2020_12_tool'],
  'server-sse-polling': ['test_reconnection'],
  'resources-read-text': ['test://static-text'],
  'resources-read-binary': ['test://static-binary'],
  'resources-templates-read': ['test://template/'],
  'resources-subscribe': ['capability resources.subscribe', 'test://watched-resource'],
  'resources-unsubscribe': ['capability resources.subscribe', 'test://watched-resource'],
  'prompts-get-simple': ['test_simple_prompt'],
  'prompts-get-with-args': ['test_prompt_with_arguments'],
  'prompts-get-embedded-resource': ['test_prompt_with_embedded_resource'],
  'prompts-get-with-image': ['test_prompt_with_image'],
  'http-custom-header-server-validation': ['test_x_mcp_header'],
  'sep-2549-tools-list-caching-hints': ['capability tools'],
  'sep-2549-prompts-list-caching-hints': ['capability prompts'],
  'sep-2549-resources-list-caching-hints': ['capability resources'],
  'sep-2549-resources-templates-list-caching-hints': ['capability resources'],
  'sep-2549-resources-read-caching-hints': ['test://static-text'],
  'sep-2575-server-sends-tools-list-changed-on-subscription': ['test_trigger_tool_change'],
  'sep-2575-server-sends-prompts-list-changed-on-subscription': ['test_trigger_prompt_change'],
  'input-required-result-basic-elicitation': [`${inputRequired}_elicitation`],
  'input-required-result-basic-sampling': [`${inputRequired}_sampling`],
  'input-required-result-basic-list-roots': [`${inputRequired}_list_roots`],
  'input-required-result-request-state': [`${inputRequired}_request_state`],
  'input-required-result-multiple-input-requests': [`${inputRequired}_multiple_inputs`],
  'input-required-result-multi-round': [`${inputRequired}_multi_round`],
  'input-required-result-missing-input-response': [`${inputRequired}_elicitation`],
  'input-required-result-non-tool-request': [`${inputRequired}_prompt`],
  'input-required-result-result-type': [`${inputRequired}_elicitation`],
  'input-required-result-tampered-state': [`${inputRequired}_tampered_state`],
  'input-required-result-capability-check': [`${inputRequired}_capabilities`],
  'input-required-result-ignore-extra-params': [`${inputRequired}_elicitation`],
  'input-required-result-validate-input': [`${inputRequired}_elicitation`],
  'tasks-lifecycle': taskTools,
  'tasks-capability-negotiation': taskTools,
  'tasks-wire-fields': taskTools,
  'tasks-request-state-removal': taskTools,
  'tasks-mrtr-input': taskTools,
  'tasks-request-headers': taskTools,
  'tasks-dispatch-and-envelope': taskTools,
  'tasks-required-task-error': taskTools,
  'tasks-mrtr-composition': ['test_tool_with_task'],
}

/** The first thing a scenario or check needs that the server does not have. */
export function missingFor(scenario: string, offered: OfferedNames): string | undefined {
  const wanted = Object.hasOwn(wantedNames, scenario) ? (wantedNames[scenario] ?? []) : []
  return wanted.find((name) => !offered.has(name))
}

/** Everything the server lists. */
export async function offeredNames(client: Client, signal: AbortSignal): Promise<OfferedNames> {
  const { capabilities } = client.server
  const { tools, prompts, resources } = capabilities
  const options = { signal }
  const names = [
    ...Object.keys(capabilities).map((name) => `capability ${name}`),
    ...(resources?.subscribe ? ['capability resources.subscribe'] : []),
    ...(tools ? await client.listTools(options).toArray() : []).map(({ name }) => name),
    ...(prompts ? await client.listPrompts(options).toArray() : []).map(({ name }) => name),
    ...(resources ? await client.listResources(options).toArray() : []).map(({ uri }) => uri),
    ...(resources ? await client.listResourceTemplates(options).toArray() : []).map(
      ({ uriTemplate }) => uriTemplate.split('{')[0] ?? '',
    ),
  ]
  return new Set(names)
}
