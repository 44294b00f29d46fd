import type { PagesDeployment, PagesDomain, PagesProject } from './pages-answers.ts'
import type { RecordInput, RecordType } from './record-input.ts'
import type { DnsRecord, Zone } from './zone-answers.ts'

/** `paused` is a field of the zone at Cloudflare, the others are settings of their own. */
export type ZoneSettingName = 'paused' | 'ssl' | 'always_use_https' | 'min_tls_version'

/** What is purged from the edge of one zone: all of it, or these. */
export type Purge = { everything: true } | { files: readonly string[] } | { hosts: readonly string[] }

export type NewDeployment = { branch?: string; commitHash?: string; commitMessage?: string }

/** A variable of the next build; null takes it away. */
export type BuildVariables = Record<string, { type: 'plain_text' | 'secret_text'; value: string } | null>

export type BuildLog = { lines: { at: string; text: string }[]; total: number }

/** `request`: somebody waits. `bulk`: walks over everything, which leave a third of the allowance to people. */
export type CloudflareLane = 'request' | 'bulk'

/**
 * Everything the console asks of Cloudflare. Every call may throw a `CloudflareError`; answers are checked before they are
 * returned, and nothing is ever sent twice. Of a write, `unavailable` and `bad_answer` mean that its outcome is not known.
 */
export type CloudflareGateway = {
  /** Tells one token at one address from another, without giving either away. */
  readonly connection: string
  in(lane: CloudflareLane): CloudflareGateway
  /** The configured account, else the only one that the token opens. */
  getAccountId(): Promise<string>
  ping(): Promise<void>
  /** All of them, page by page. */
  listZones(): Promise<Zone[]>
  /** The value, as a word. */
  getSetting(zoneId: string, name: ZoneSettingName): Promise<string>
  /** Answers what it is afterwards. */
  changeSetting(zoneId: string, name: ZoneSettingName, value: string): Promise<string>
  /** Of the account that the console works in. */
  createZone(name: string): Promise<Zone>
  /** null when there is none of this name. */
  findZoneNamed(name: string): Promise<Zone | null>
  getZone(zoneId: string): Promise<Zone>
  /** Asks Cloudflare to look for the name servers of a zone that waits for them; what it finds shows later. */
  checkActivation(zoneId: string): Promise<void>
  getDnssec(zoneId: string): Promise<string>
  listRecords(zoneId: string, page: number): Promise<{ records: DnsRecord[]; total: number | null }>
  /** Every record of a zone, for what must be seen as a whole. */
  listAllRecords(zoneId: string): Promise<DnsRecord[]>
  /** Those of one name and type. */
  findRecords(zoneId: string, type: RecordType, name: string): Promise<DnsRecord[]>
  /** null when it does not exist. */
  findRecord(zoneId: string, id: string): Promise<DnsRecord | null>
  createRecord(zoneId: string, record: RecordInput): Promise<DnsRecord>
  /** Its settings and tags stay unless they are named. */
  editRecord(zoneId: string, id: string, record: RecordInput): Promise<DnsRecord>
  /** Also when it does not exist. */
  deleteRecord(zoneId: string, id: string): Promise<void>
  purge(zoneId: string, what: Purge): Promise<{ id: string }>
  listProjects(): Promise<PagesProject[]>
  /** null when it does not exist. */
  findProject(name: string): Promise<PagesProject | null>
  setBuildVariables(project: string, variables: BuildVariables): Promise<void>
  listProjectDomains(project: string): Promise<PagesDomain[]>
  attachDomain(project: string, domain: string): Promise<PagesDomain>
  /** Also when it was not attached. */
  detachDomain(project: string, domain: string): Promise<void>
  /** Newest first, 25 a page. */
  listDeployments(project: string, page?: number): Promise<PagesDeployment[]>
  findDeployment(project: string, id: string): Promise<PagesDeployment | null>
  createDeployment(project: string, deployment: NewDeployment): Promise<PagesDeployment>
  retryDeployment(project: string, id: string): Promise<PagesDeployment>
  rollBackTo(project: string, id: string): Promise<PagesDeployment>
  /** Also ends a build that is under way. */
  deleteDeployment(project: string, id: string): Promise<void>
  getBuildLog(project: string, id: string): Promise<BuildLog>
  /** The data of an analytics query. Errors, which come under status 200, are thrown with Cloudflare's words. */
  graphql(query: string, variables: Record<string, unknown>): Promise<unknown>
}
