import type { MountedRoute } from '../platform/http/routes.ts'
import type { Job } from '../platform/job.ts'
import { runJobs } from '../platform/runs/jobs.ts'
import { adminUserRoutes } from './admin-users/index.ts'
import { alertJobs, alertRoutes, findMetricRules } from './alerts/index.ts'
import { apiKeyJobs, apiKeyRoutes } from './api-keys/index.ts'
import { auditExport, auditJobs, auditRoutes } from './audit/index.ts'
import { authJobs, authRoutes } from './auth/index.ts'
import { backupRoutes, drillRun, makeRun, restoreRun } from './backups/index.ts'
import { beaconJobs, beaconRoutes } from './beacon/index.ts'
import { billingRoutes, paymentsExport, resolveRun, subscriptionsExport } from './billing/index.ts'
import { cacheRoutes } from './caches/index.ts'
import { channelJobs, channelRoutes, ensurePushChannel } from './channels/index.ts'
import { couponHandlers, couponRoutes } from './coupons/index.ts'
import { customerHandlers, customerRoutes, customersExport } from './customers/index.ts'
import { dashboardRoutes } from './dashboard/index.ts'
import { deploymentJobs, deploymentRoutes, ringRoutes, ringsRun } from './deployments/index.ts'
import { analyticsCache, domainAnalyticsJobs, domainAnalyticsRoutes, domainExport } from './domain-analytics/index.ts'
import { domainJobs, domainListCache, domainRoutes } from './domains/index.ts'
import { dunningExport, dunningRoutes } from './dunning/index.ts'
import { eventRoutes } from './events/index.ts'
import { exportJobs, exportRoutes } from './exports/index.ts'
import { featureFlagJobs, featureFlagRoutes, rolloutRun } from './feature-flags/index.ts'
import { healthJobs, healthRoutes } from './health/index.ts'
import { impersonationJobs, impersonationRoutes } from './impersonation/index.ts'
import { incidentNoticeRoutes } from './incident-notices/index.ts'
import { followAlerts, incidentRoutes } from './incidents/index.ts'
import { invoiceHandlers, invoiceRoutes } from './invoices/index.ts'
import { lifecycleJobs, lifecycleRoutes, lifecycleRun } from './lifecycle/index.ts'
import { mailJobs } from './mail/index.ts'
import { metricsExportRoutes } from './metrics-export/index.ts'
import { mirrorJobs, mirrorRoutes } from './mirror/index.ts'
import { moneyDriftJobs, moneyDriftRoutes } from './money-drift/index.ts'
import { monitoringJobs, monitoringRoutes } from './monitoring/index.ts'
import { newSubscriptionHandlers, newSubscriptionRoutes } from './new-subscriptions/index.ts'
import { notificationJobs, notificationRoutes } from './notifications/index.ts'
import { paymentLinkHandlers, paymentLinkRoutes } from './payment-links/index.ts'
import { probeJobs, probeRoutes, siteWatch } from './probes/index.ts'
import { purchaseResetRoutes } from './purchase-reset/index.ts'
import { purchaseJobs, purchaseRoutes, purchasesExport } from './purchases/index.ts'
import { pushRoutes } from './push/index.ts'
import { catalogueOf, queueRoutes } from './queues/index.ts'
import { deliveryRun, reportScheduleJobs, reportScheduleRoutes, websiteExport } from './report-schedules/index.ts'
import { reportSqlRoutes } from './report-sql/index.ts'
import { churnedExport, customerReportExport, renewalsExport, reportRoutes, revenueExport } from './reports/index.ts'
import { searchRoutes } from './search/index.ts'
import { securityJobs, securityRoutes } from './security/index.ts'
import { settingRoutes } from './settings/index.ts'
import { applyProbe, siteJobs, siteRoutes, siteSuspension, sitesExport } from './sites/index.ts'
import { slaCreditHandlers, slaCreditRoutes } from './sla-credits/index.ts'
import { sqlConsoleJobs, sqlConsoleRoutes, sqlResultExport } from './sql-console/index.ts'
import { statusPageRoutes } from './status-pages/index.ts'
import { systemAnalyticsRoutes, systemOverviewExport } from './system-analytics/index.ts'
import { timelineRoutes } from './timeline/index.ts'
import { uptimeReportJobs, uptimeReportRoutes } from './uptime-reports/index.ts'
import { performanceExport, usageExport, usageReportRoutes } from './usage-reports/index.ts'
import { dnsRecordJobs, dnsRecordRoutes, zoneRoutes, zoneSettingRoutes } from './zone-changes/index.ts'

/** What can be exported: each feature says what its rows and columns are. */
const exportKinds = [
  customersExport,
  sitesExport,
  subscriptionsExport,
  paymentsExport,
  dunningExport,
  purchasesExport,
  auditExport,
  domainExport,
  systemOverviewExport,
  performanceExport,
  usageExport,
  revenueExport,
  customerReportExport,
  churnedExport,
  renewalsExport,
  websiteExport,
  sqlResultExport,
]

/** Every endpoint of the API with its handler. */
export const routes: readonly MountedRoute[] = [
  ...authRoutes,
  ...eventRoutes,
  ...notificationRoutes,
  ...featureFlagRoutes,
  ...healthRoutes,
  ...monitoringRoutes({ ruleOf: findMetricRules }),
  ...metricsExportRoutes,
  ...mirrorRoutes,
  ...billingRoutes,
  ...invoiceRoutes,
  ...dunningRoutes,
  ...newSubscriptionRoutes,
  ...couponRoutes,
  ...paymentLinkRoutes,
  ...customerRoutes,
  ...lifecycleRoutes,
  ...timelineRoutes,
  ...impersonationRoutes,
  ...probeRoutes(applyProbe),
  ...purchaseRoutes,
  ...purchaseResetRoutes,
  ...domainAnalyticsRoutes,
  ...systemAnalyticsRoutes(exportKinds),
  ...beaconRoutes,
  ...usageReportRoutes,
  ...siteRoutes,
  ...deploymentRoutes,
  ...ringRoutes,
  ...alertRoutes(followAlerts),
  ...incidentRoutes,
  ...incidentNoticeRoutes,
  ...slaCreditRoutes,
  ...statusPageRoutes,
  ...uptimeReportRoutes,
  ...channelRoutes,
  ...moneyDriftRoutes,
  ...pushRoutes(ensurePushChannel),
  ...dashboardRoutes,
  ...reportRoutes,
  ...reportSqlRoutes,
  ...reportScheduleRoutes,
  ...domainRoutes,
  ...dnsRecordRoutes,
  ...zoneRoutes,
  ...zoneSettingRoutes,
  ...searchRoutes,
  ...settingRoutes,
  ...adminUserRoutes,
  ...auditRoutes,
  ...apiKeyRoutes,
  ...securityRoutes,
  ...queueRoutes(catalogueOf(() => jobs)),
  ...cacheRoutes([domainListCache, analyticsCache]),
  ...sqlConsoleRoutes,
  ...exportRoutes(exportKinds),
  ...backupRoutes,
]

/** All work in steps that outlives its process. */
export const durableRuns = [
  lifecycleRun,
  siteSuspension,
  deliveryRun(exportKinds),
  makeRun,
  restoreRun,
  drillRun,
  rolloutRun,
  ringsRun,
  resolveRun({
    ...invoiceHandlers,
    ...newSubscriptionHandlers,
    ...couponHandlers,
    ...paymentLinkHandlers,
    ...customerHandlers,
    ...slaCreditHandlers,
  }),
]

/** The look-out for the sites, in each process that does background work. */
export const createSiteWatch = siteWatch(applyProbe)

/** All background work. */
export const jobs: readonly Job[] = [
  ...authJobs,
  ...notificationJobs,
  ...healthJobs,
  ...monitoringJobs,
  ...mirrorJobs,
  ...domainJobs,
  ...dnsRecordJobs,
  ...impersonationJobs,
  ...probeJobs(applyProbe),
  ...purchaseJobs,
  ...domainAnalyticsJobs,
  ...beaconJobs,
  ...runJobs(durableRuns),
  ...lifecycleJobs,
  ...siteJobs,
  ...deploymentJobs,
  ...alertJobs(followAlerts),
  ...channelJobs,
  ...moneyDriftJobs,
  ...mailJobs,
  ...uptimeReportJobs,
  ...reportScheduleJobs,
  ...auditJobs,
  ...apiKeyJobs,
  ...securityJobs,
  ...featureFlagJobs,
  ...sqlConsoleJobs,
  ...exportJobs(exportKinds),
]
