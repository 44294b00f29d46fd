export type { AdminUser, Handover, Role } from './admin-users.ts'
export type {
  Alert,
  AlertDetails,
  AlertEvent,
  AlertRule,
  AlertStatus,
  MaintenanceWindow,
  MoneyAtRisk,
  RuleTrial,
} from './alerts.ts'
export type { ApiKey } from './api-keys.ts'
export type { AuditEntry, AuditStep, AuditVerification } from './audit.ts'
export type { Actor, SessionStage, SessionState, Theme } from './auth.ts'
export type {
  Backup,
  BackupCadence,
  BackupDetails,
  BackupDrill,
  BackupPlan,
  BackupProgress,
  BackupState,
  BackupType,
  Restore,
  RestoreLine,
  RestoreState,
} from './backups.ts'
export type { SiteBeacon } from './beacons.ts'
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
  SubscriptionChange,
  SubscriptionDetails,
  SubscriptionStatus,
} from './billing.ts'
export type { NextInvoice, PauseBehavior, Proration, Reach } from './billing-changes.ts'
export type { CacheCleared, CacheOverview, CacheState } from './caches.ts'
export type { Card } from './cards.ts'
export type { Channel, Delivery, QuietHours, Route, RoutePreview } from './channels.ts'
export type { CheckSettings, CheckTrial, SiteChecks } from './checks.ts'
export type { Coupon, CouponState, PromotionCode, PromotionCodeState } from './coupons.ts'
export type {
  BillingChoice,
  LifecyclePreview,
  LifecycleRun,
  LifecycleStep,
  SuspensionReason,
} from './customer-lifecycle.ts'
export type {
  AccountType,
  Customer,
  CustomerDetails,
  CustomerForm,
  CustomerNote,
  CustomerStatus,
} from './customers.ts'
export type { DashboardHistory, DashboardSection, Need, NeedKind } from './dashboard.ts'
export type { DeploymentRing, RingRollout } from './deployment-rings.ts'
export type {
  Deployment,
  DeploymentCounts,
  DeploymentDetails,
  DeploymentKind,
  DeploymentStage,
  DeploymentStatus,
  LogLine,
  RollbackPreview,
  ServedBuild,
} from './deployments.ts'
export type {
  DnsRecord,
  RecordChange,
  RecordInput,
  RecordType,
  ShownRecord,
  ZoneFileEntry,
} from './dns-records.ts'
export type {
  AnalyticsError,
  AnalyticsLimits,
  AnalyticsPoint,
  AnalyticsRange,
  AnalyticsTotals,
  ZoneAnalytics,
  ZoneSeries,
} from './domain-analytics.ts'
export type { Domain, DomainDetails, DomainSetting } from './domains.ts'
export type { Dunning, FailedInvoice } from './dunning.ts'
export type { EndpointConfig, EndpointRef, Method, Topic } from './endpoint.ts'
export type { ErrorCode, Problem } from './errors.ts'
export type { Exported, ExportFormat, ExportKind, ExportOrder, ExportState } from './exports.ts'
export type {
  FeatureFlag,
  FlagAudience,
  FlagChange,
  FlagGuard,
  FlagKind,
  FlagRollout,
  FlagStage,
  FlagViewer,
  RolloutStep,
  RolloutUnit,
} from './feature-flags.ts'
export type { HealthPart, PartStatus, Performance, SystemHealth } from './health.ts'
export type { SiteHeartbeat } from './heartbeats.ts'
export type {
  Impersonation,
  ImpersonationCause,
  ImpersonationPage,
  ImpersonationState,
  ImpersonationWay,
  ViewedAccount,
  ViewedInvoice,
  ViewedPayment,
  ViewedSite,
  ViewedSubscription,
} from './impersonation.ts'
export type { IncidentNotice, MailChoices, NoticeReceiver } from './incident-notices.ts'
export type { Incident, IncidentDetails, IncidentEvent, PossibleCause } from './incidents.ts'
export type {
  InvoiceAction,
  InvoiceDetails,
  InvoicePreview,
  ListedInvoice,
  PaymentMethod,
  SavedMethod,
} from './invoices.ts'
export type { ImportProgress, MirrorState } from './mirror.ts'
export type { DriftClass, DriftEvidence, DriftRepair, DriftVariant, MoneyDrift } from './money-drift.ts'
export type {
  EndpointFigures,
  MetricKey,
  MetricPoint,
  MetricRange,
  MetricSeries,
  MonitoredService,
  MonitoredSite,
  MonitoringOverview,
  PerformanceMetric,
  ServiceStatus,
  UptimeDay,
} from './monitoring.ts'
export type { SubscriptionPreview } from './new-subscriptions.ts'
export type { Notification } from './notifications.ts'
export type { PaymentLink, PaymentLinkPreview, PaymentLinkState } from './payment-links.ts'
export type { PermissionCategory } from './permission-texts.ts'
export type { Access, ApiKeyScope, Permission } from './permissions.ts'
export type { Money, Trend } from './primitives.ts'
export type { PerformancePoint, PerformanceRange, ProbeRun, SiteCertificate, SitePerformance } from './probes.ts'
export type { PurchaseData, PurchasedSite, PurchaseMode, PurchaseReset, RefusedSite } from './purchase-reset.ts'
export type { Purchase, PurchaseDetails, PurchaseStatus } from './purchases.ts'
export type { PushSubscription } from './push.ts'
export type {
  JobFilters,
  JobStatus,
  QueueCause,
  QueueJob,
  QueueJobDetails,
  QueueRun,
  QueueSchedule,
  QueueSummary,
  TouchedThing,
} from './queues.ts'
export type { SiteRegistration } from './registrations.ts'
export type { ReportDelivery, ReportSchedule, ScheduledReport } from './report-schedules.ts'
export type {
  ChurnCause,
  ChurnedCustomer,
  Cohort,
  CustomerSegment,
  Renewal,
} from './reports-customers.ts'
export type { Change, Figure, ReportPeriod, ReportRange } from './reports-range.ts'
export type {
  Bridge,
  BridgeMonth,
  Deferred,
  FigureRow,
  GrossToNet,
  MovementKind,
  RevenueFigure,
  RevenueRow,
  Settlement,
  TopSite,
} from './reports-revenue.ts'
export type { PerformanceRow, ProfitTotals, UsageMetric, UsageSite } from './reports-usage.ts'
export type { Hit, HitKind } from './search.ts'
export type { LiveSession, SecurityFinding } from './security.ts'
export type { ConnectionTest, Mail, Setting, SettingGroup, SettingValue } from './settings.ts'
export type {
  EnvironmentVersion,
  HealthStatus,
  ImportRow,
  PagesProject,
  Site,
  SiteDetails,
  SiteEnvironment,
  SiteProvider,
  SiteReach,
  SiteSettings,
  SiteStatus,
  SiteStatusChange,
  SiteSummary,
  SiteSuspension,
  SslStatus,
} from './site.ts'
export type { SiteOwner } from './sites.ts'
export type { CreditLine, PlanPromise, SlaCredit, UptimePromise } from './sla-credits.ts'
export type { SqlColumn, SqlError, SqlQuery, SqlResult, SqlSnippet, SqlView, SqlWrite } from './sql-console.ts'
export type { PublicUpdate, StatusPage } from './status-pages.ts'
export type { ScoreTerm, SystemAnalytics, TopSite as AnalyzedSite } from './system-analytics.ts'
export type { TimelineEntry, TimelineKind } from './timeline.ts'
export type { UptimeReport } from './uptime-reports.ts'
export type { ZoneSetting, ZoneSettingName } from './zone-settings.ts'
export type { AddedZone } from './zones.ts'
