/** Which requests each side runs as tasks. */
interface TaskRequestsCapability {
  tools?: { call?: object }
  sampling?: { createMessage?: object }
  elicitation?: { create?: object }
}

/** Throws unless `tools/call` may run as a task. */
export function assertToolsCallTaskCapability(
  requests: TaskRequestsCapability | undefined,
  method: string,
  entityName: 'Server' | 'Client',
): void {
  requireGroup(requests, method, entityName)
  if (method === 'tools/call' && !requests?.tools?.call) {
    throw new Error(
      `${entityName} does not support task creation for tools/call (required for ${method})`,
    )
  }
}

/** Throws unless sampling or elicitation may run as a task. */
export function assertClientRequestTaskCapability(
  requests: TaskRequestsCapability | undefined,
  method: string,
  entityName: 'Server' | 'Client',
): void {
  requireGroup(requests, method, entityName)
  if (method === 'sampling/createMessage' && !requests?.sampling?.createMessage) {
    throw new Error(
      `${entityName} does not support task creation for sampling/createMessage (required for ${method})`,
    )
  }
  if (method === 'elicitation/create' && !requests?.elicitation?.create) {
    throw new Error(
      `${entityName} does not support task creation for elicitation/create (required for ${method})`,
    )
  }
}

function requireGroup(
  requests: TaskRequestsCapability | undefined,
  method: string,
  entityName: string,
): void {
  if (!requests) {
    throw new Error(`${entityName} does not support task creation (required for ${method})`)
  }
}
