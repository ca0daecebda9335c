const SERVICES =
  'activeCampaign acuityScheduling affinity airtable amqp asana autopilot awsSns bitbucket box cal calendly chargebee ciscoWebex clickUp clockify convertKit copper customerIo emelia error evaluation eventbrite executeWorkflow facebook facebookLeadAds figma flow form formIo formstack getResponse github gitlab gmail googleBusinessProfile googleCalendar googleDrive googleSheets gumroad helpScout hubspot invoiceNinja jira jotForm kafka keap koBoToolbox lemlist linear localFile lonescale mailchimp mailerLite mailjet manual mautic microsoftOneDrive microsoftOutlook microsoftTeams mqtt n8n netlify notion onfleet payPal pipedrive postgres postmark pushcut rabbitmq redis rssFeedRead salesforce schedule seaTable sendInBlue shopify slack sse strava stripe surveyMonkey taiga telegram theHive theHiveProject toggl trello twilio typeform venafiTlsProtectCloud webflow whatsApp wise wooCommerce workable workflow wufoo zendesk'.split(
    ' ',
  );

/** The types of n8n's own packages that begin a run and do nothing else with its items. */
export const N8N_TRIGGERS: readonly string[] = [
  ...SERVICES.map((name) => `n8n-nodes-base.${name}Trigger`),
  ...['cron', 'emailReadImap', 'interval', 'start', 'webhook'].map(
    (name) => `n8n-nodes-base.${name}`,
  ),
  ...['chatTrigger', 'manualChatTrigger', 'mcpTrigger'].map(
    (name) => `@n8n/n8n-nodes-langchain.${name}`,
  ),
];
