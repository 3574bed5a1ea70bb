import type { Doing, Program, Starts } from '../program.ts';
import { defaultFiles } from './defaultFiles.ts';
import { outputOrFile } from './outputOptions.ts';

const dockerValued =
  '-e --env -u --user -w --workdir -v --volume -p --publish --name --network --net --entrypoint -H --host --context -c --env-file --mount -l --label --label-file -m --memory --cpus --cpuset-cpus --platform --add-host -h --hostname --pull --gpus --ulimit --cap-add --cap-drop --security-opt --device --restart --tmpfs --shm-size --dns --expose --volumes-from --log-driver --log-opt --detach-keys --cidfile --ipc --pid --userns --ip --group-add --annotation --runtime --stop-signal --stop-timeout --sysctl -a --attach --index -f --file --project-directory --profile --config --log-level';

const reads = 'only reads';
const hostPaths =
  '(/|/etc|/root|/home|/var/run/docker\\.sock|/run|/usr|~|\\$HOME|/proc|/sys|/dev|/var|/boot|[^:,]*/?\\.(ssh|aws|kube|gnupg|docker)[^:,]*|/(home|Users)/[^/:,]+(/\\.[^:,]*)?)';

const containerTools: Doing = {
  effect: 'container',
  care: 'c',
  says: 'changes containers or images{: rest}',
  valued:
    '-H --host --context --config -l --log-level -c -f --file -p --project-name --profile --env-file --project-directory -e --env -v --volume --name -w --workdir -u --user --network --net --entrypoint --filter --format --mount --tag --build-arg --platform --target --pid --cap-add --device --security-opt',
  helps: true,
  rules: [
    [
      'd',
      'run|create|exec --privileged|--pid|--cap-add|--device|--security-opt|--userns|--ipc|--uts',
      'starts a container that can reach the machine',
      'privilege',
    ],
    ['d', `run|create -v=^${hostPaths}:`, 'gives a container files of the machine', 'privilege'],
    ['d', `run|create --volume=^${hostPaths}:`, 'gives a container files of the machine', 'privilege'],
    [
      'd',
      `run|create --mount=(^|,)(source|src)=${hostPaths}(,|$)`,
      'gives a container files of the machine',
      'privilege',
    ],
    ['d', 'run|create --network=host', 'gives a container the network of the machine', 'privilege'],
    ['d', 'run|create --net=host', 'gives a container the network of the machine', 'privilege'],
    [
      'd',
      'system prune --volumes',
      'deletes all containers, networks, images and volumes, with their data, that are not in use',
    ],
    ['d', 'system prune|reset', 'deletes all containers, networks and images that are not in use'],
    [
      's',
      'container|image|volume|network|context|node|service|stack|secret|config|plugin|buildx|builder|manifest|system|machine|pod|trust|swarm|checkpoint ls|list|ps|inspect|logs|stats|top|port|diff|history|show|df|info|events|tasks|services|du|version|exists',
      reads,
    ],
    ['d', 'volume prune', 'deletes volumes, with their data, that are not in use'],
    ['c', 'image|builder|buildx prune', 'deletes images or parts of them that are not in use'],
    ['c', 'container|network prune', 'deletes containers or networks that are not in use'],
    [
      'd',
      'container|image|volume|network|context|node|service|stack|secret|config|plugin|buildx|builder|manifest|machine|pod|trust|swarm|checkpoint|kube prune|rm|remove|rmi|reset|kill|stop|leave|demote|revoke|ca',
      'deletes or stops {rest}',
    ],
    ['d', 'rm|rmi|prune -f|--force|-v|--volumes', 'deletes containers or images'],
    ['c', 'rm|rmi', 'deletes {rest}'],
    [
      'd',
      'compose down|rm|kill -v|--volumes|-f|--force|--rmi',
      'deletes the containers of the project with their data',
    ],
    ['d', 'down -v|--volumes|--rmi', 'deletes the containers of the project with their data'],
    ['c', 'down|stop|pause', 'stops {rest}'],
    ['d', 'kill', 'stops {rest}'],
    ['c', 'compose down|stop|pause|kill', 'stops the containers of the project'],
    ['c', 'compose pull', 'downloads images', 'network'],
    ['c', 'compose push', 'publishes images', 'network'],
    ['c', 'compose build', 'builds images, which runs the commands of their recipes', 'code-execution'],
    ['c', 'compose cp', 'copies files from or into a container'],
    ['d', 'swarm|stack|service|node', 'changes the swarm{: rest}'],
    ['s', 'ps|images|logs|inspect|stats|top|port|diff|history|info|version|events|search|help', reads],
    ['s', 'compose ps|logs|config|images|top|ls|version|events|port|stats|volumes', reads],
    ['c', 'context use|create|update|import|export', 'changes which machine its commands go to{: rest}'],
    ['c', 'save|load|import|export', 'writes or loads files of containers or images'],
    ['c', 'image save|load|import', 'writes or loads files of containers or images'],
    ['c', 'push', 'publishes an image', 'network'],
    ['c', 'image push', 'publishes an image', 'network'],
    ['c', 'login|logout', 'changes the log-in at a registry', 'network'],
    ['c', 'pull', 'downloads an image', 'network'],
    ['c', 'build|buildx|bake', 'builds an image, which runs the commands of its recipe', 'code-execution'],
    ['c', 'run|exec|start|restart|up|compose', 'runs programs in containers', 'code-execution'],
    ['c', 'cp', 'copies files from or into a container'],
    ['sh', '#0', 'only prints its help'],
  ],
};

const cluster: Doing = {
  effect: 'container',
  care: 'c',
  says: 'changes the cluster{: rest}',
  valued:
    '-n --namespace --context --kubeconfig -f --filename -l --selector -o --output -c --container --cluster --user -s --server --as -k --kustomize',
  helps: true,
  rules: [
    ['s', '--dry-run !--dry-run=none', 'only shows what it would change', 'network'],
    ['c', 'cluster-info dump --output-directory', 'writes what it reads of the cluster into a folder', 'network'],
    ['c', 'kustomize -o|--output', 'writes what it makes to a file', 'none'],
    ['d', 'delete', 'deletes {rest} from the cluster'],
    [
      'd',
      'drain|cordon|taint|evict|replace|debug|certificate|adm',
      'takes away or changes parts of the cluster{: rest}',
    ],
    ['d', 'scale --replicas=^0', 'stops {rest}'],
    ['d', 'apply --prune|--force', 'deletes what the files do not have'],
    ['d', 'rollout undo|restart|pause', 'changes a running deployment{: rest}'],
    [
      'c',
      'config use-context|use|set-context|set-cluster|set-credentials|set|rename-context',
      'changes how clusters are reached{: rest}',
    ],
    ['d', 'config delete-context|delete-cluster|delete-user|unset', 'changes how clusters are reached'],
    ['c', 'exec|attach|cp|port-forward|proxy|run', 'runs or copies something in the cluster{: rest}', 'code-execution'],
    ['c', 'get|describe secret|secrets', 'reads secrets of the cluster', 'network'],
    ['c', 'config view --raw', 'prints keys of clusters', 'none'],
    ['s', 'config view|get-contexts|current-context|get-clusters|get-users', 'only reads settings', 'none'],
    [
      's',
      'get|describe|logs|top|explain|version|cluster-info|api-resources|api-versions|diff|events|wait|options|completion|kustomize',
      'only reads the cluster',
      'network',
    ],
    [
      's',
      'config|auth|rollout|plugin view|get-contexts|current-context|get-clusters|get-users|can-i|whoami|status|history|list',
      'only reads',
      'network',
    ],
    ['sh', '#0', 'only prints its help'],
  ],
};

const clusterTools: Doing = {
  effect: 'container',
  care: 'c',
  says: 'changes the cluster{: rest}',
  verbs: true,
  helps: true,
  rehearses: true,
  rules: [
    ['d', 'uninstall|delete|del|rollback|reset|destroy|purge|suspend', 'deletes or rolls back {rest}'],
    [
      'd',
      '@=^(uninstall|delete|del|rollback|reset|destroy|suspend|rm|remove|stop|purge|gc|drain|leave)$',
      'deletes or stops what it names',
    ],
    ['d', '--prune|--force|--recreate-pods|--hard|--reset-values|--cascade', 'replaces or deletes parts of {rest}'],
    ['d', 'put', 'changes the cluster{: rest}'],
    [
      's',
      'list|ls|get|status|history|show|search|template|lint|version|env|verify|diff|build|logs|describe|check|completion|events|stats|tree',
      'only reads',
      'network',
    ],
    ['sh', '#0', 'only prints its help'],
  ],
};

const infrastructure: Doing = {
  effect: 'cloud',
  care: 'c',
  says: 'changes infrastructure{: rest}',
  oneDash: true,
  helps: true,
  rules: [
    ['d', 'destroy', 'destroys infrastructure'],
    ['d', 'apply -destroy', 'destroys infrastructure'],
    ['d', 'apply -auto-approve|--auto-approve', 'changes infrastructure without asking'],
    ['d', 'run-all', 'changes all infrastructure{: rest}'],
    [
      'd',
      'state|workspace rm|mv|push|delete|replace-provider',
      'changes what is known about the infrastructure{: rest}',
    ],
    ['d', 'force-unlock|taint|untaint|import', 'changes what is known about the infrastructure{: rest}'],
    ['d', 'apply', 'changes infrastructure'],
    ['c', 'plan -out|--out', 'writes a plan', 'network'],
    ['c', 'providers lock|mirror', 'downloads providers and modules', 'network'],
    ['c', 'get', 'downloads providers and modules', 'network'],
    ['sh', 'validate|version', 'only reads'],
    [
      's',
      'plan|show|output|graph|providers|console|metadata|hclfmt|graph-dependencies|render-json',
      'only shows what would change',
      'network',
    ],
    ['s', 'fmt -check|--check', 'only reads', 'none'],
    ['cv', 'fmt', 'rewrites files in their usual form', 'none'],
    ['s', 'state|workspace list|show|pull', 'only reads', 'network'],
    ['c', 'init', 'downloads providers and modules', 'network'],
    ['sh', '#0', 'only prints its help'],
  ],
};

const machines: Doing = {
  effect: 'cloud',
  care: 'c',
  says: 'changes machines{: rest}',
  valued: '-m --module-name -a --args -i --inventory -l --limit -e --extra-vars -u --user -t --tags --become-user',
  verbs: true,
  helps: true,
  rules: [
    ['s', '--list-hosts|--list-tasks|--list-tags|--syntax-check', 'only reads'],
    ['c', '-C|--check', 'shows what it would change, but some tasks run'],
    [
      'd',
      '@=^(destroy|delete|undefine|unregistervm|unregister|purge|rm|remove|poweroff|halt|stop|shutdown|reset|snapshot-delete|vol-delete|pool-destroy|net-destroy|kill|suspend|rollback)$',
      'destroys or stops machines{: rest}',
    ],
    ['d', '-a=\\b(rm|reboot|shutdown|dd|mkfs)\\b', 'runs a command on all machines{: rest}'],
    ['d', '-m=^(shell|command|raw|script|file|user|reboot)$', 'runs commands on all machines'],
    ['d', '* cmd.run', 'runs a command on all machines'],
  ],
};

const startsDocker: Starts = {
  program: '--entrypoint',
  subcommands: ['exec', 'run', 'container exec', 'container run', 'compose exec', 'compose run'],
  valued: dockerValued,
  operands: 1,
  folder: '-w --workdir',
  mounts: '-v --volume --mount',
  fresh: {
    behind: /^(?:container )?run$/,
    unless: '--volumes-from --privileged --device --cap-add --security-opt --pid --ipc --userns',
  },
  elsewhere: 'container',
};

const startsDockercompose: Starts = {
  program: '--entrypoint',
  subcommands: ['exec', 'run'],
  valued: dockerValued,
  operands: 1,
  folder: '-w --workdir',
  mounts: '-v --volume --mount',
  elsewhere: 'container',
};

const startsKubectl: Starts = {
  subcommands: ['exec'],
  valued:
    '-n --namespace -c --container --context --kubeconfig -f --filename --cluster --user --as -s --server --token',
  operands: 1,
  mixed: true,
  elsewhere: 'container',
};

/** `docker cp web:/a.txt .` */
const copiesOut = { by: 'copy', behind: /^(?:(?:container|compose) )?cp$/ } as const;
/** `--file` names what is read. */
const containerOutput = /^(?:-o|--output|--cidfile|--iidfile|--metadata-file)$/;

/** Containers, clusters and infrastructure as code. */
export const containers: readonly Program[] = [
  {
    names: 'docker',
    writes: { options: containerOutput, ...copiesOut },
    usesKeys: true,
    reads: [defaultFiles.container],
    probes: ['/var/run/docker.sock'],
    starts: startsDocker,
    does: containerTools,
  },
  {
    names: 'podman',
    writes: { options: containerOutput, ...copiesOut },
    reads: [defaultFiles.container],
    probes: ['/var/run/docker.sock'],
    // In a namespace of users, and with the files of this machine.
    starts: { ...startsDocker, also: { unshare: { subcommands: ['unshare'] } } },
    does: containerTools,
  },
  { names: 'nerdctl', writes: copiesOut, starts: startsDocker, does: containerTools },
  { names: 'podman-compose', writes: copiesOut, starts: startsDockercompose, does: containerTools },
  { names: 'finch', does: containerTools },
  {
    names: 'docker-compose',
    writes: copiesOut,
    reads: [defaultFiles.container],
    probes: ['/var/run/docker.sock'],
    starts: startsDockercompose,
    does: containerTools,
  },
  {
    names: 'kubectl',
    writes: { by: 'copy', behind: /^cp$/, options: /^(?:-o|--output)$/, optionsBehind: /^kustomize$/ },
    reads: [defaultFiles.chart, defaultFiles.chartParts],
    probes: ['~/.kube/config'],
    starts: startsKubectl,
    does: cluster,
  },
  { names: 'oc', writes: { by: 'copy', behind: /^cp$/ }, starts: startsKubectl, does: cluster },
  { names: 'k kubecolor k3s', does: cluster },
  {
    names: 'helm',
    probes: ['~/.kube/config'],
    // Of helm it is the form of what is printed.
    writes: { options: outputOrFile, overwrites: false },
    reads: [defaultFiles.chart, defaultFiles.chartParts],
    does: {
      ...clusterTools,
      valued:
        '-n --namespace --kube-context --kubeconfig -f --values --set --set-string --set-file --set-json --version --timeout -o --output --repo',
      rules: [
        ['s', 'repo|plugin|dependency|dep list|ls', 'only reads'],
        ['c', 'template --output-dir', 'writes what it makes into a folder', 'none'],
        ['c', 'push', 'sends a chart to a registry', 'network'],
        ['c', 'repo|dependency|dep|plugin|registry|pull|package|create', 'changes charts, or where they come from'],
        ...(clusterTools.rules ?? []),
      ],
    },
  },
  {
    names: 'kustomize',
    probes: ['~/.kube/config'],
    writes: { options: outputOrFile, overwrites: false },
    reads: [defaultFiles.chart, defaultFiles.chartParts],
    does: clusterTools,
  },
  {
    names: 'k9s',
    does: {
      effect: 'container',
      care: 'c',
      says: 'opens a view of the cluster, from which it can be changed',
      helps: true,
    },
  },
  {
    names:
      'helmfile flux argocd istioctl linkerd velero kind minikube k3d eksctl kops kubeadm rancher crictl ctr tilt nomad consul etcdctl talosctl clusterctl calicoctl cilium stern',
    does: clusterTools,
  },
  { names: 'skaffold', reads: [defaultFiles.chart, defaultFiles.chartParts], does: clusterTools },
  {
    names: 'terraform tofu',
    worksIn: { options: '-chdir', onlyFirst: true },
    writes: { options: outputOrFile },
    reads: [defaultFiles.terraform],
    does: infrastructure,
  },
  { names: 'terragrunt', reads: [defaultFiles.terraform], does: infrastructure },
  { names: 'terramate', does: infrastructure },
  {
    names: 'pulumi cdk cdktf sam serverless sls sst copilot chalice',
    does: {
      effect: 'cloud',
      care: 'c',
      says: 'changes infrastructure{: rest}',
      helps: true,
      rules: [
        ['d', 'destroy|remove|delete|down|rollback|cancel|refresh', 'destroys infrastructure{: rest}'],
        ['d', 'stack|state|app|env|svc|job|pipeline rm|delete|unprotect|rename|import', 'deletes or changes {rest}'],
        ['d', 'up|deploy|update', 'changes infrastructure{: rest}'],
        [
          's',
          'preview|diff|synth|list|ls|logs|about|whoami|version|validate|info|print|doctor|metadata',
          'only shows what would change',
          'network',
        ],
        ['s', 'stack|config|plugin|org ls|get|output|history|export|graph', 'only reads', 'network'],
      ],
    },
  },
  {
    names: 'multipass',
    writes: { by: 'copy', behind: /^transfer$/ },
    starts: { subcommands: ['exec'], operands: 1, behindDashes: true, elsewhere: 'machine' },
    does: machines,
  },
  {
    names: 'vagrant',
    starts: {
      subcommands: ['ssh'],
      valued: '-c --command',
      script: '-c --command',
      onlyScript: true,
      elsewhere: 'machine',
    },
    does: machines,
  },
  { names: 'ansible ansible-playbook', reads: [defaultFiles.ansible], does: machines },
  {
    names:
      'ansible-pull ansible-galaxy ansible-vault salt salt-call puppet chef-client knife fab cap packer vboxmanage virsh virt-install lxd qm pct xl prlctl vmrun limactl colima govc',
    does: machines,
  },
  {
    names: 'lxc incus',
    starts: { subcommands: ['exec'], operands: 1, mixed: true, elsewhere: 'container' },
    does: machines,
  },
  {
    names: 'apptainer singularity',
    // The folders of the user are there under their own names.
    starts: {
      subcommands: ['exec'],
      valued: '-B --bind -H --home -W --workdir --pwd --cwd --env --env-file --overlay -S --scratch --mount',
      operands: 1,
      folder: '--pwd --cwd',
    },
    does: { effect: 'container', care: 'c', says: 'runs programs in containers, or makes these' },
  },
  { names: 'buildah', reads: [defaultFiles.container], starts: { subcommands: ['unshare'] } },
];
