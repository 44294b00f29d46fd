/** The hosts that the sandbox serves on this machine; the only way for a probe to reach loopback. */
export type DemoHosts = {
  hosts(): ReadonlySet<string>
  address: '127.0.0.1'
  /** Where their ports 80 and 443 are. */
  httpPort: number
  httpsPort: number
  /** Who signed their certificates (PEM); trusted for them alone. */
  ca: string
  /** What plays the registries of their domains. */
  rdapUrl?: string
}
