export type { Actor, SessionState } from './auth.ts'
export type {
  Discount,
  Dispute,
  Invoice,
  MoneyAction,
  Payment,
  PaymentDetails,
  PaymentStatus,
  Plan,
  Refund,
  Stats,
  Subscription,
  SubscriptionDetails,
  SubscriptionStatus,
} from './billing.ts'
export type { AccountType, Customer, CustomerDetails, CustomerStatus } from './customers.ts'
export type { DashboardSection } from './dashboard.ts'
export type { EndpointConfig, EndpointRef, Method, Topic } from './endpoint.ts'
export type { ErrorCode, Problem } from './errors.ts'
export type { HealthPart, PartStatus, Performance, SystemHealth } from './health.ts'
export type { ImportProgress, MirrorState } from './mirror.ts'
export type { Notification } from './notifications.ts'
export type { Access, Permission } from './permissions.ts'
export type { Money, Trend } from './primitives.ts'
