/** url and address: nothing was sent. network: this machine's own, or its resolver, so it says little of the host. */
export type ProbeFailure =
  | 'url'
  | 'address'
  | 'network'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'redirects'
  | 'answer'
  | 'stopped'

/** A request that got no answer; the message is written for people. */
export class ProbeError extends Error {
  override name = 'ProbeError'
  readonly reason: ProbeFailure

  constructor(reason: ProbeFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
