import type { Clones, Doing, Program } from '../program.ts';
import { servingAlways } from './projectWork.ts';

const reads = 'only reads from the service';
const deletes = 'deletes or stops {rest}';

const amazon: Doing = {
  effect: 'cloud',
  care: 'c',
  says: 'changes the cloud{: rest}',
  valued:
    '--profile --region --output --endpoint-url --query --bucket --key --id --name --instance-ids --cli-input-json --role-name --user-name',
  verbs: true,
  helps: true,
  rules: [
    ['s', '--dryrun|--dry-run|--generate-cli-skeleton', 'only shows what it would do', 'network'],
    ['s', 's3 ls|presign', reads, 'network'],
    ['c', 'lightsail download-default-key-pair', 'reads secrets', 'network'],
    ['c', 's3api get-object|get-object-torrent|select-object-content', 'downloads to a file{: rest}', 'network'],
    [
      's',
      '* @=^(scan|filter|lookup|select|batch-get|batch-check|estimate|simulate|decode|preview|wait|search|download)(-|$)',
      reads,
      'network',
    ],
    [
      'd',
      'rds-data|redshift-data|athena|dynamodb|timestream-query execute-statement|batch-execute-statement|start-query-execution|query @data=destroys',
      'deletes or changes data, tables or rights',
      'database',
    ],
    ['c', '* @=^export(-|$)', 'writes what the cloud keeps to a place', 'network'],
    ['d', 's3 rm|rb|mv', deletes],
    ['d', 's3 sync --delete', 'deletes what the source does not have{: rest}'],
    [
      'd',
      '* @=^(terminate|stop|reboot|detach|disassociate|release|cancel|deactivate|disable|deregister|schedule-key-deletion|modify|put-bucket-policy|put-public|attach|purge|unsubscribe|revoke|reset|restore|failover|batch-delete|remove|untag)',
      'changes or stops something in the cloud',
    ],
    [
      'c',
      'secretsmanager|ssm get-secret-value|get-parameter|get-parameters|get-parameters-by-path',
      'reads secrets',
      'network',
    ],
    [
      'd',
      'iam|sts|kms|organizations @=^(create|put|attach|update|delete|detach|add|remove|assume|enable|disable|schedule)',
      'changes rights',
      'permission',
    ],
    [
      'd',
      'lambda|ssm|ecs invoke|send-command|start-session|execute-command|run-task',
      'runs something in the cloud',
      'code-execution',
    ],
    ['c', 's3 cp|sync|mb', 'copies files{: rest}'],
    ['s', 'configure list|list-profiles|get', 'only reads'],
    ['c', 'sso|login|logout', 'changes the log-in at the cloud', 'network'],
    ['c', 'eks update-kubeconfig', 'changes how clusters are reached', 'outside-workspace'],
    ['c', 'configure', 'changes the settings of the cloud', 'outside-workspace'],
  ],
};

const forge: Doing = {
  effect: 'network',
  care: 'c',
  says: 'changes something at the forge{: rest}',
  valued:
    '-R --repo -t --title -b --body -F -f -H --header --hostname -q --jq --template -L --limit --json -X --method --visibility --description --homepage --default-branch --source --remote --ref -s',
  verbs: true,
  helps: true,
  rules: [
    ['d', 'api -X=^(DELETE|PUT|PATCH)$', 'deletes or changes something at the forge{: rest}'],
    ['d', 'api --method=^(DELETE|PUT|PATCH)$', 'deletes or changes something at the forge{: rest}'],
    ['c', 'api -X|--method|-f|-F|--field|--raw-field|--input', 'sends something to the forge{: rest}'],
    ['s', 'api', 'only reads from the forge'],
    ['c', 'auth login|logout|refresh|switch|setup-git', 'changes the log-in at the forge'],
    ['c', 'extension|ext install|upgrade|create|exec', 'downloads or runs a program of others', 'code-execution'],
    ['c', 'alias|config set|delete|import|clear-cache', 'changes its own settings', 'outside-workspace'],
    ['d', 'repo delete|archive|rename|transfer|sync|deploy-key', 'deletes or changes a repository{: rest}'],
    [
      'd',
      'issue|pr|mr|release|repo|gist|run|workflow|label|cache|secret|variable|ssh-key|gpg-key|codespace|project|ruleset|extension|alias|auth|org|config|milestone|ci|deploy-key|token|discussion delete|remove|disable|cancel|delete-asset|transfer|lock|logout|delete-all|unlink|item-delete|revoke|purge',
      deletes,
    ],
    ['d', 'pr|mr merge', 'merges {rest}'],
    ['d', 'auth|config token', 'prints the token of the account'],
    ['d', 'repo edit --visibility', 'changes who may see a repository'],
    ['c', 'secret|variable set', 'changes secrets or variables of the repository'],
    [
      's',
      'pr|issue|release|run|workflow|repo|gist|cache|label|ruleset|project|codespace|mr|ci|search|auth|config|extension|alias|secret|variable|ssh-key|org|attestation list|view|status|diff|checks|get|code|commits|issues|prs|repos|verify|trace|lint|watch|item-list|field-list|logs',
      'only reads from the forge',
    ],
    ['s', 'status|version|help|browse', 'only reads from the forge'],
    ['c', 'release|run|attestation download', 'downloads {rest}'],
    ['c', 'gist create|new', 'publishes {rest}'],
    ['d', 'pr|mr close -d|--delete-branch', 'deletes a branch, and closes {rest}'],
    ['c', 'repo|gist|pr|mr clone|fork|checkout|create', 'creates or fetches {rest}'],
  ],
};

const services: Doing = {
  effect: 'cloud',
  care: 'c',
  says: 'changes a service{: rest}',
  valued: '-a --app --org --project -p --token --team --site --site-id --config -c -n --name --environment -e -s -k',
  verbs: true,
  helps: true,
  rules: [
    ['d', 'd1|db execute|shell|query @data=destroys', 'deletes or changes data, tables or rights', 'database'],
    ['s', 'd1|db execute|shell|query @data=reads', 'only reads from a database', 'network'],
    ['d', 'd1|db execute|shell|query --file|-f', 'runs a file of statements', 'database'],
    ['d', 'pg:psql @data=destroys', 'deletes or changes data, tables or rights', 'database'],
    ['c', 'env pull', 'writes secrets to a file{: rest}', 'network'],
    ['c', 'config !#2', 'prints secrets', 'network'],
    [
      'c',
      'kv|secret|secrets|item|config|env|pass|read|get get|show|read|pull|download|reveal|password',
      'prints secrets{: rest}',
    ],
    ['d', 'config|secrets|env set|unset|push|import|add', 'changes the settings of a service{: rest}'],
    [
      'd',
      '@=^(seal|rollback|promote|publish|transfer|down|scale|suspend|fence|unregister|forget_cluster_node|stop_app|force_reset|quit|step-down|generate-root|rotate|metadata)$',
      'changes what runs{: rest}',
    ],
    ['d', '--prod|--production|--delete', 'changes what runs for everybody{: rest}'],
    ['d', '-s=^(stop|quit)$', 'stops the server'],
    ['d', '-k=^(stop|graceful-stop)$', 'stops the server'],
    ['d', '-st|-sf', 'stops the running server'],
    [
      'd',
      'db|database|migration reset|push|wipe|drop|execute|down|repair',
      'changes or deletes the database{: rest}',
      'database',
    ],
    [
      'd',
      '@=^(pg:killall|pg:kill|pg:push|pg:pull|maintenance:on|ps:(stop|kill|scale|restart)|config:(set|unset|edit)|restart|run:detached|redis:\\w+)$',
      'changes what runs, or prints secrets{: rest}',
    ],
    ['s', 'open|docs', 'opens a page of it'],
    ['c', 'read|export|auth:export', 'prints or writes what it keeps{: rest}', 'network'],
    ['c', '* export', 'writes what it keeps to a file{: rest}', 'network'],
    ['s', 'version', 'only reads'],
  ],
};

/** `-t` and `-T` check the settings of a server, and are values elsewhere. */
const servers: Doing = { ...services, rules: [['s', '-t|-T', 'only reads'], ...(services.rules ?? [])] };

/** Services that also start programs with what they keep. */
const servicesForPrograms: Doing = {
  ...services,
  rules: [['c', 'run|exec', 'runs what it is given with secrets of a service', 'network'], ...(services.rules ?? [])],
};

const managing: Doing = {
  effect: 'cloud',
  care: 'c',
  says: 'changes the cloud{: rest}',
  valued:
    '-g --resource-group -n --name --project --zone --region --account --account-name --subscription -o --output --format --location --query',
  verbs: true,
  helps: true,
  rules: [
    ['s', '--dry_run|--dry-run|--what-if|--validate-only', 'only shows what it would do', 'network'],
    ['sh', 'config|configure list|get|get-value|describe', 'only reads its own settings'],
    ['s', 'auth|account|components list|show', 'only reads', 'network'],
    ['c', '@=^(get-credentials|get-kubeconfig)$', 'changes how clusters are reached', 'outside-workspace'],
    ['c', '@=^export(-|$)', 'writes what the cloud keeps to a place{: rest}'],
    [
      'd',
      'spanner|sql databases|query|connect execute-sql @data=destroys',
      'deletes or changes data, tables or rights',
      'database',
    ],
    [
      'c',
      'config|auth|init|components|login|logout|account|configure',
      'changes its own settings, or the log-in at the cloud',
    ],
    ['c', 'keyvault|secrets secret|versions show|access|download', 'reads secrets', 'network'],
    [
      'd',
      '@=^(stop|deallocate|reset|reset-windows-password|restart|failover|set-iam-policy|remove-iam-policy-binding|add-iam-policy-binding|power-off|shutdown|rebuild|resize|undelete|disable|move|rotate|redeploy|invoke|run-command|deploy|rm|mk)$',
      'changes or stops what it names',
    ],
  ],
};

/** `gh repo clone owner/name`; `hub clone`. */
const clonesByName: Clones = { by: /^(?:repos? )?clone$/, valued: '-u --upstream-remote-name -g --group -R --repo' };

/** Clouds and services, mostly judged by the verb of the subcommand. */
export const cloud: readonly Program[] = [
  {
    names: 'aws',
    writes: {
      by: 'copy',
      behind: /^s3 (?:cp|mv)$/,
      unless: /^--(?:recursive|dryrun)$/,
      third:
        /^(?:lambda invoke|s3api (?:get-object|get-object-torrent|select-object-content)|glacier get-job-output|polly synthesize-speech|apigateway get-(?:export|sdk)|codeartifact get-package-version-asset|ebs get-snapshot-block|sagemaker-runtime invoke-endpoint|bedrock-runtime invoke-model|iot-data (?:get|update|delete)-thing-shadow)$/,
    },
    fetches: true,
    sends: true,
    does: amazon,
  },
  { names: 'awslocal aws2', does: amazon },
  {
    names: 'az',
    writes: { options: /^(?:-f|--file)$/, when: /^download$/ },
    does: managing,
  },
  {
    names: 'gcloud',
    writes: { by: 'copy', behind: /^(?:storage (?:cp|mv)|compute scp)$/, unless: /^(?:-n|--no-clobber)$/ },
    does: managing,
  },
  {
    names:
      'doctl ibmcloud oci aliyun linode-cli hcloud scw exo civo yc tccli vultr-cli upctl openstack nova glance cf eb',
    does: managing,
  },
  {
    names: 'bq',
    readsStatements: { unless: /\s/ },
    does: {
      ...managing,
      rules: [
        ['s', '--dry_run|--dry_run=true', 'only shows what it would do', 'network'],
        ['d', 'query @data=destroys', 'deletes or changes data, tables or rights', 'database'],
        ['d', 'query @fed=unread', 'runs statements that were not read', 'database'],
        ['d', 'query --replace|--destination_table', 'overwrites a table, or writes one', 'database'],
        ['s', 'query @data=reads', reads, 'network'],
        ['c', 'query', 'runs statements on data', 'database'],
        ['d', 'load|cp --replace|-f|--force', 'overwrites a table{: rest}', 'database'],
        ...(managing.rules ?? []),
      ],
    },
  },
  {
    names: 'gh',
    sends: /^gist$/,
    writes: {
      options: /^(?:-O|--output|-p|--pattern)$/,
      when: /^--clobber$/,
      folder: { named: '-D', of: /^(?:-p|--pattern)$/ },
    },
    fetches: true,
    clones: clonesByName,
    does: forge,
  },
  { names: 'glab hub tea', clones: clonesByName, does: forge },
  { names: 'nginx', ...servingAlways, does: servers },
  { names: 'apachectl apache2ctl httpd caddy haproxy traefik varnishadm squid', does: servers },
  {
    names: 'vercel',
    writes: { third: /^env pull$/, overwrites: { when: /^(?:-y|--yes)$/ } },
    does: services,
  },
  {
    names:
      'heroku netlify firebase fly flyctl wrangler supabase render surge now amplify cloudflare digitalocean porter convox dokku caprover platform upsun shopify stripe twilio sendgrid auth0 okta ldcli launchdarkly datadog-ci dog sentry-cli newrelic pd pagerduty linear jira vault bw lpass planetscale pscale neonctl turso xata hasura appwrite contentful sanity algolia temporal tctl confluent ccloud kaf rpk databricks dbt airflow prefect dagster mlflow wandb huggingface-cli replicate modal gitlab-runner circleci travis buildkite-agent jenkins-cli drone tkn act bk nats rabbitmqadmin rabbitmqctl kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-acls kafka-configs kafka-configs.sh pulsar-admin statsig flagsmith unleash octopus octo spinnaker spin boundary waypoint mongocli atlas mailgun resend checkly opsgenie grafana-cli promtool amtool kong deck',
    does: services,
  },
  {
    names: 'doppler',
    starts: { subcommands: ['run'], valued: '-p -c --project --config --command', script: '--command' },
    does: servicesForPrograms,
  },
  {
    names: 'infisical',
    starts: {
      subcommands: ['run'],
      valued: '-e --env --path --projectId --token --command -c --tags --project-config-dir',
      script: '-c --command',
    },
    does: servicesForPrograms,
  },
  { names: 'teller', starts: { subcommands: ['run'], behind: '--' }, does: services },
  {
    names: 'sops',
    starts: { subcommands: ['exec-env', 'exec-file'], operands: 1, mixed: true, joins: 'one' },
    does: services,
  },
  {
    names: 'railway',
    starts: { subcommands: ['run'], valued: '-s --service -e --environment -p --project' },
    does: services,
  },
  { names: 'op', starts: { subcommands: ['run'], valued: '--env-file --account' }, does: servicesForPrograms },
  {
    names: 'chamber aws-vault',
    starts: { subcommands: ['exec'], operands: 1, mixed: true },
    does: servicesForPrograms,
  },
  {
    names: 'kafka-delete-records kafka-delete-records.sh',
    does: { effect: 'cloud', care: 'd', says: 'deletes records', helps: true },
  },
];
