"""One environment a Ray actor: each starts a service of its own, and its episodes stay in it.

    pip install ray
    python ray_actors.py FOLDER
"""

import json
import secrets
import subprocess
import sys
import urllib.request

import ray


@ray.remote(num_cpus=1)
class Gym:
    def __init__(self, folder: str, command: list[str]):
        import os

        self.token = secrets.token_urlsafe(32)
        self.process = subprocess.Popen(
            [*command, "serve", "--environment", "--hybrid", "--cwd", folder],
            env={**os.environ, "FORETELL_SERVICE_TOKEN": self.token},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url = self.process.stdout.readline().strip()

    def ask(self, path: str, **body):
        request = urllib.request.Request(
            self.url + path,
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": "Bearer " + self.token},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def episode(self, commands: list[str]) -> list[str]:
        id = self.ask("/start", domain="swe")["id"]
        call = lambda command: {"name": "run_shell_command", "arguments": {"command": command}}
        seen = [self.ask("/step", id=id, action=call(command))["observation"] for command in commands]
        self.ask("/close", id=id)
        return seen

    def close(self):
        self.process.terminate()
        self.process.wait()


if __name__ == "__main__":
    ray.init()
    gyms = [Gym.remote(sys.argv[1], sys.argv[2:] or ["foretell"]) for _ in range(2)]
    told = ray.get([gym.episode.remote([f"echo {number} > n.txt", "cat n.txt"]) for number, gym in enumerate(gyms)])
    for number, (_, seen) in enumerate(told):
        assert f"Output: {number}" in seen, seen
        print(f"actor {number}: {seen.splitlines()[2]}")
    ray.get([gym.close.remote() for gym in gyms])
