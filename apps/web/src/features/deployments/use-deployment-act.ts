import { deployments } from '@agency/contract/descriptors'
import type { Endpoint, Input, ResponseOf } from '../../lib/api.ts'
import { useKeyedCall } from '../../lib/use-keyed-call.ts'

const reads = [deployments.listDeployments, deployments.getDeployment]

/** An act on a deployment: sent once, and the same one again after a lost answer. */
export function useDeploymentAct<E extends Endpoint>(endpoint: E, onDone: (answer: ResponseOf<E>) => void) {
  const { run, ...call } = useKeyedCall(endpoint, reads)
  return { ...call, run: (input: Input<E>) => run(input, { onSuccess: onDone }) }
}
